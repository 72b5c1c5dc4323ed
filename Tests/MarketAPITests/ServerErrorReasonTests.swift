import Foundation
import MarketAPI
import Networking
import Testing

/// The complaints in the servers' error messages.
struct ServerErrorReasonTests {
  /// Every captured rejection is understood, except for the one without a message.
  @Test(arguments: [
    ("a1_error_not_found", ServerErrorReason?.none), ("a1_error_too_many_images", .tooManyPictures),
    ("a2_error_wrong_password", .wrongPassword), ("b_error_400_json_parse", .unreadableJSON),
    ("b_error_400_multipart_header", .unreadableForm),
  ])
  func everyCapturedRejectionHasAReason(_ name: String, _ complaint: ServerErrorReason?) throws {
    let path = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Captures/\(name).json")
    let answer = reply(try String(contentsOf: path, encoding: .utf8), 400)
    let error = #expect(throws: MarketError.self) { try GetProduct(1).decode(from: answer, of: market(.open)) }
    guard case .refused(400, let message?)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(ServerErrorReason(message) == complaint)
  }

  @Test(arguments: [
    ("Value required for key 'images[]'.", ServerErrorReason?.some(.missing(.value, "images[]"))),
    ("Required request part 'params' is not present", .missing(.part, "params")),
    (
      "Required request header 'identifier' for method parameter type String is not present",
      .missing(.header, "identifier")
    ),
    ("name: must not be null", .missing(.member, "name")),
    ("Content-Type of request header must be multipart/form-data", .notAForm),
    ("Current request is not a multipart request", .notAForm), ("Unknown identifier", .unknownVendor),
    ("The secret does not match the identifier", .wrongSecret),
    ("The product belongs to another vendor", .foreignProduct), ("Internal Server Error", nil), ("", nil),
    ("Value required for key '", .missing(.value, "")),
    ("price: must be greater than or equal to 0", .invalidValue("price")),
    ("name: size must be between 3 and 100", .invalidValue("name")),
    ("thumbnail_id: the product has no image 9", .invalidValue("thumbnail_id")),
    ("JSON parse error: Cannot deserialize value of 'price' as `Double`", .wrongType("price")),
    ("Value of type 'String' required for key 'secret'.", .wrongType("secret")),
    ("Failed to convert value of type 'String' to required type 'int'; For input string: \"a\"", .notANumber),
    ("The secret of the product does not match", .wrongDeletionKey), ("The delete URI is not valid", .wrongDeletionKey),
    ("Request method 'PUT' not supported", .unsupportedMethod), ("Method Not Allowed", .unsupportedMethod),
    ("Product 9 does not exist", .noProduct), ("Cannot find data for ID and password", .wrongPassword),
  ])
  func messageHasThisReason(_ message: String, _ complaint: ServerErrorReason?) {
    #expect(ServerErrorReason(message) == complaint)
  }
}
