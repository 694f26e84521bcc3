extension Duration {
    /// In seconds, for numbers that people read.
    package var seconds: Double {
        Double(components.seconds) + Double(components.attoseconds) / 1e18
    }
}
