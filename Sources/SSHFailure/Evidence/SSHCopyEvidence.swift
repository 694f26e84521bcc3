/// The state of a copy that ended for another reason than a file.
public struct SSHCopyEvidence: Sendable, Hashable, Codable {
    /// Files that are complete.
    public var files: Int
    /// Whether partial copies are kept for a later copy to resume.
    public var resumes: Bool
    /// Partial copies that are left, or may be where the other side could no longer be asked.
    public var partialFiles: [String]

    /// The partial copies.
    public init(files: Int = 0, resumes: Bool, partialFiles: [String] = []) {
        self.files = files
        self.resumes = resumes
        self.partialFiles = partialFiles
    }
}
