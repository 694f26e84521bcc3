# Homebrew's formula. Untested: there was no Mac to build it on. A release fills in the address and the checksum.
class BridgeSsh < Formula
  desc "SSH command runner that says exactly what went wrong"
  homepage "https://example.com/bridge-ssh"
  url "https://example.com/bridge-ssh/bridge-ssh-0.2.0.tar.gz"
  sha256 "0000000000000000000000000000000000000000000000000000000000000000"
  license "Apache-2.0"

  depends_on "pkgconf" => :build
  depends_on xcode: ["26.0", :build]
  depends_on "libssh2"

  def install
    # Not scripts/install, which is for GNU's tools and linker. Homebrew's sandbox cannot contain SwiftPM's.
    products = %w[bridge-ssh bridge-ssh-fleet]
    products.each do |product|
      system "swift", "build", "--disable-sandbox", "--configuration", "release", "--product", product
      bin.install ".build/release/#{product}"
    end
    generate_completions_from_executable(bin/"bridge-ssh", "--generate-completion-script")
    man1.install Dir["docs/man/*.1"]
    system "scripts/install", "--as-ssh", libexec, bin/"bridge-ssh"
  end

  test do
    assert_match "ssh.connect.refused", shell_output("#{bin}/bridge-ssh run --batch -p 1 nobody@127.0.0.1 true 2>&1", 193)
  end
end
