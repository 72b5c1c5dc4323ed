import Catalog
import CommandLanguage
import Presentation
import Synchronization
import TestSupport
import Testing
import Text

@testable import Commands
@testable import ShellRuntime

/// The form for a recipe, whose answers are those that it was filled with unless the user changes them.
@Suite(.timeLimit(Trial.limit)) struct RecipeFormTests {
  /// Answers each row with its initial text, or with another one by its position.
  private final class Typist: UserPrompt {
    private let changes: [Int: String]
    private let asked = Mutex<[FormQuestion]>([])

    init(_ changes: [Int: String] = [:]) { self.changes = changes }

    var questions: [FormQuestion] { asked.withLock { $0 } }

    func answer(to question: String) async -> String? { nil }
    func secret(_ prompt: String) async -> String? { nil }

    func field(_ field: FormQuestion) async -> FormAnswer {
      let index = asked.withLock { asked in
        asked.append(field)
        return asked.count - 1
      }
      return .text(changes[index] ?? field.initial)
    }
  }

  private static let recipe: Recipe = {
    var recipe = Recipe(headings: ["품명", "공급가", "수량", "통화"], columns: ["품명": "name", "공급가": "cost", "통화": "currency"])
    recipe.formulas = [.price: "cost*1.5", .sale: "cost*1.3 round 100", .stock: "min(수량, 99)"]
    recipe.cells = ["-": "keep"]
    recipe.skip = ["합계"]
    (recipe.unknown, recipe.products, recipe.sellsOutMissing) = (.skip, "mine", true)
    return recipe
  }()

  private func form(_ typist: Typist, besides others: Set<String> = []) -> RecipeForm {
    RecipeForm(
      typist, Self.recipe, named: "seoul", besides: others, title: LocalizedText(same: "week.csv"), RenderOptions())
  }

  /// No answer of the recipe is lost on the way through the form.
  @Test func enterLeavesTheRecipeAsItIs() async throws {
    var form = form(Typist())
    let made = try await form.run()
    #expect(made?.name == "seoul" && made?.recipe == Self.recipe)
  }

  /// The name of a recipe with other headings is refused where it is typed, so that no answer is lost.
  @Test func nameOfAnotherRecipeIsRefused() async throws {
    let typist = Typist()
    var form = form(typist, besides: ["busan"])
    _ = try await form.run()
    let name = try #require(typist.questions.first)
    #expect(name.problem("busan")?.contains("busan") == true && name.problem("seoul") == nil)
  }
}
