/// The state of a copy that ended for a reason other than a file.
public struct SSHCopyEvidence: Sendable, Hashable, Codable {
    /// The number of completely copied files.
    public var files: Int
    /// Whether partial copies are kept, so that a later copy can resume.
    public var resumes: Bool
    /// Partial copies that remain. If the other side could no longer be asked, some of them may not exist.
    public var partialFiles: [String]

    /// The state of a copy.
    public init(files: Int = 0, resumes: Bool, partialFiles: [String] = []) {
        self.files = files
        self.resumes = resumes
        self.partialFiles = partialFiles
    }
}
