// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, AlwaysUseLowerCamelCase

// The part of Security that the example apple-keys uses. Without Objective-C no value is bridged, so each type of Core
// Foundation is an alias of the Swift type that it would be bridged to.
import Foundation

public typealias CFString = String
public typealias CFData = Data
public typealias CFDictionary = [String: Any]
public typealias CFTypeRef = AnyObject
public typealias CFAllocator = AnyObject
public typealias OSStatus = Int32

public final class CFError: @unchecked Sendable {}
public final class SecAccessControl {}
public final class SecKey {}

public struct SecAccessControlCreateFlags: OptionSet {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }
    public static var userPresence: Self { Self(rawValue: 1) }
    public static var privateKeyUsage: Self { Self(rawValue: 1 << 30) }
}

public struct SecKeyAlgorithm: Sendable {
    public static let ecdsaSignatureMessageX962SHA256 = SecKeyAlgorithm()
}

public let errSecSuccess: OSStatus = 0
public let errSecInvalidKeyRef: OSStatus = -67712
public let kSecAttrAccessibleWhenUnlockedThisDeviceOnly: CFString = "akdu"
public let kSecAttrKeyType: CFString = "type"
public let kSecAttrKeyTypeECSECPrimeRandom: CFString = "73"
public let kSecAttrLabel: CFString = "labl"
public let kSecClass: CFString = "class"
public let kSecClassKey: CFString = "keys"
public let kSecReturnRef: CFString = "r_Ref"

public func SecAccessControlCreateWithFlags(
    _ allocator: CFAllocator?, _ protection: CFString, _ flags: SecAccessControlCreateFlags,
    _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> SecAccessControl? { nil }
public func SecItemCopyMatching(_ query: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus { -25300 }
public func SecKeyCopyExternalRepresentation(_ key: SecKey, _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?) -> CFData? {
    nil
}
public func SecKeyCopyPublicKey(_ key: SecKey) -> SecKey? { nil }
public func SecKeyCreateSignature(
    _ key: SecKey, _ algorithm: SecKeyAlgorithm, _ dataToSign: CFData, _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? { nil }
