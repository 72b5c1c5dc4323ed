import Catalog
import Marketplace
import Text

extension Complaint {
  /// What the server holds against the request, in a sentence.
  package var wording: Wording {
    switch self {
    case .wrongSecret: Wording("The secret does not fit.", ko: "비밀 값이 맞지 않습니다.")
    case .wrongPassword: Wording("The password does not fit this product.", ko: "이 상품의 비밀번호가 아닙니다.")
    case .unknownVendor: Wording("The server does not know this identifier.", ko: "서버가 모르는 식별자입니다.")
    case .foreignProduct: Wording("It is another vendor's product.", ko: "다른 판매자의 상품입니다.")
    case .missing(let part):
      Wording("The request lacked its part \(.foreign(part)).", ko: "요청에 \(.foreign(part)) 부분이 없었습니다.")
    case .tooManyPictures: Wording("There were too many pictures.", ko: "사진이 너무 많았습니다.")
    case .notAForm: Wording("The server wants a form (multipart/form-data).", ko: "서버는 양식(multipart/form-data)으로 받습니다.")
    case .unreadableForm: Wording("The server could not read the form.", ko: "서버가 양식을 읽지 못했습니다.")
    case .unreadableJSON: Wording("The server could not read the JSON.", ko: "서버가 JSON을 읽지 못했습니다.")
    }
  }

  /// What to do about it; nil when nothing can be said.
  package var next: Wording? {
    guard isAboutLogin else { return nil }
    return self == .unknownVendor
      ? Wording("\(.command("login identifier=ID")) sets another.", ko: "\(.command("login identifier=ID"))로 바꾸세요.")
      : Wording("\(.command("login")) sets the secret.", ko: "\(.command("login"))으로 비밀 값을 넣으세요.")
  }

  /// True when other credentials would help.
  var isAboutLogin: Bool {
    switch self {
    case .wrongSecret, .wrongPassword, .unknownVendor: true
    case .missing(let part): part == "identifier" || part == "secret" || part == "password"
    case .foreignProduct, .tooManyPictures, .notAForm, .unreadableForm, .unreadableJSON: false
    }
  }
}
