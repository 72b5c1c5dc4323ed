import Catalog
import CommandLanguage
import Text

/// A step of `learn`: what the user makes the market show, how, and the check of it.
struct LearningStep: Hashable, Sendable {
  /// The check of a step: something that is read from the market, and never the line that was typed.
  enum Check: Hashable, Sendable {
    /// The market sent a list and a product that it still has.
    case seen
    /// The market sent the products with less stock, and no others.
    case listed(below: Int)
    /// A product of the user has other values than at the beginning of the step.
    case changed
    /// The products of the user had other values, and have those of before again.
    case undone
    /// The user has a product more, and it has a picture.
    case created
    /// Some products of the user have another stock than at the beginning of the step.
    case restocked(Int)
    /// The market refused a request.
    case refused
    /// The market received the request for a product from another program.
    case requestedByProgram
    /// The JSON that the market sends for a product was shown.
    case sawDocument
    /// The market received a request from a Swift program.
    case requestedBySwift
    /// At least so many products match; with 0 none does.
    case matches(Condition, count: Int)
  }

  /// The goal.
  let goal: LocalizedText
  /// The way to the goal, in one line.
  let hint: LocalizedText
  /// The thing to look at once the step is done.
  var remark: LocalizedText?
  /// Lines to type, in which `{id}` is a product of the user; those of another terminal begin with `$`.
  var examples: [String] = []
  let check: Check
}

extension LearningStep.Check {
  /// A Boolean value that indicates that the check compares with the user's products at the beginning of the step.
  var hasBase: Bool {
    switch self {
    case .changed, .undone, .created, .restocked: true
    case .seen, .listed, .refused, .requestedByProgram, .sawDocument, .requestedBySwift, .matches: false
    }
  }

  /// A Boolean value that indicates that only what writes to the market changes the result of the check.
  var isAboutWrites: Bool { if case .matches = self { true } else { hasBase } }
}

/// The steps that a market has for its users.
struct LearningCourse: Hashable, Sendable {
  /// The name of the steps in the file of the home.
  let key: String
  /// A digest of the steps, by which others are recognized.
  let digest: String
  let steps: [LearningStep]
}

extension LearningCourse {
  /// The steps of the built-in market.
  static let builtIn = LearningCourse(key: "built-in", digest: "1", steps: builtInSteps)

  private static let builtInSteps = [
    LearningStep(
      goal: LocalizedText("Look at the list, then at one product.", ko: "상품 목록을 보고, 그중 하나를 자세히 봅니다."),
      hint: LocalizedText(
        "\(.command("ls")) lists them, and \(.command("show @1")) shows the first.",
        ko: "\(.command("ls"))는 목록을, \(.command("show @1"))은 첫 상품을 보여 줍니다."),
      examples: ["ls", "show @1"], check: .seen),
    LearningStep(
      goal: LocalizedText("List the products with fewer than 10 left.", ko: "재고가 10개 미만인 상품만 봅니다."),
      hint: LocalizedText(
        "\(.command("where")) selects: \(.command("ls where price<5000")).",
        ko: "\(.command("where"), .subject) 고릅니다: \(.command("ls where price<5000"))"),
      examples: ["ls where stock<10"], check: .listed(below: 10)),
    LearningStep(
      goal: LocalizedText("Change one of your products.", ko: "내 상품 하나를 수정합니다."),
      hint: LocalizedText(
        "\(.command("patch")) shows the change and asks before it is sent.",
        ko: "\(.command("patch"), .topic) 바뀔 내용을 보여 주고, 보내기 전에 묻습니다."),
      examples: ["ls mine", "patch {id} price+=1000"], check: .changed),
    LearningStep(
      goal: LocalizedText("Take the change back.", ko: "그 변경을 되돌립니다."),
      hint: LocalizedText(
        "\(.command("undo")) undoes your last change; \(.command("log")) lists all of them.",
        ko: "\(.command("undo"), .topic) 마지막 변경을 되돌립니다. 모든 변경은 \(.command("log"))에 있습니다."),
      examples: ["undo"], check: .undone),
    LearningStep(
      goal: LocalizedText("Create a product with a picture.", ko: "사진이 있는 상품을 등록합니다."),
      hint: LocalizedText(
        "\(.command("new")) asks for each value; \(.command("image")) saves a picture to try with.",
        ko: "\(.command("new"), .topic) 값을 하나씩 묻습니다. 쓸 사진은 \(.command("image"), .toward) 저장할 수 있습니다."),
      examples: [
        "image {id} to lamp.jpg",
        "new name='Paper lamp' description='It folds into a card.' price=9000 currency=KRW stock=5 images=lamp.jpg",
      ], check: .created),
    LearningStep(
      goal: LocalizedText("Change the stock of two products in a file.", ko: "내 상품 두 개의 재고를 파일에서 바꿉니다."),
      hint: LocalizedText(
        "\(.command("export")) writes the file; \(.command("import")) sends what you changed in it.",
        ko: "\(.command("export"), .subject) 파일을 만들고, \(.command("import"), .subject) 파일에서 바꾼 것을 보냅니다."),
      examples: ["export mine columns name,stock to mine.csv", "import mine.csv"], check: .restocked(2)),
    LearningStep(
      goal: LocalizedText("Have the market refuse a request.", ko: "마켓이 거부하는 요청을 보냅니다."),
      hint: LocalizedText(
        "There is no product 99999; \(.command("explain")) tells the reason of the last refusal.",
        ko: "99999번 상품은 없습니다. 마지막 거부의 이유는 \(.command("explain"), .toward) 봅니다."),
      remark: LocalizedText("; \(.command("explain")) has the reason", ko: "(이유는 \(.command("explain")))"),
      examples: ["show 99999", "explain"], check: .refused),
    LearningStep(
      goal: LocalizedText("Request a product with curl.", ko: "curl로 상품 하나를 요청합니다."),
      hint: LocalizedText(
        "\(.command("api read")) has the line, and everything about the request.",
        ko: "curl 명령과 요청의 모든 것은 \(.command("api read"))에 있습니다."),
      examples: ["api read", "curl show {id} | sh"], check: .requestedByProgram),
    LearningStep(
      goal: LocalizedText("See a product's JSON as an app receives it.", ko: "앱이 받는 상품의 JSON을 봅니다."),
      hint: LocalizedText(
        "\(.command("show")) has the names of openmarket; \(.command("as server")) shows the market's own.",
        ko: "\(.command("show"), .topic) openmarket의 이름을 씁니다. 마켓이 보낸 그대로는 \(.command("as server"), .toward) 봅니다."),
      examples: ["show {id} as server"], check: .sawDocument),
    LearningStep(
      goal: LocalizedText("Read the products with a Swift program.", ko: "Swift 프로그램으로 상품을 읽습니다."),
      hint: LocalizedText(
        "\(.command("model")) writes types and a client; compile them in another terminal.",
        ko: "\(.command("model"), .subject) 타입과 클라이언트를 만듭니다. 컴파일은 다른 터미널에서 합니다."),
      examples: [
        "model to Market.swift", "$ echo 'print(try await MarketClient().products().pages.count)' > main.swift",
        "$ swiftc Market.swift main.swift -o shop && ./shop",
      ], check: .requestedBySwift),
  ]
}
