extension UInt8 {
    /// An ASCII capital as its small letter, any other byte unchanged: OpenSSH folds host names in the C locale.
    package var lowercasedASCII: UInt8 { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) ? self + 32 : self }
}
