import Catalog
import CommandLanguage
import Commands
import EmbeddedMarket
import Foundation
import MarketOperations
import Platform
import Presentation
import ShellRuntime
import Text

/// The products of a lesson, from a CSV file with the columns of `import`, or from a folder that `pull` wrote.
struct LessonProducts {
  private(set) var products: [InitialProduct] = []
  /// Remarks about columns that are not used.
  private(set) var remarks: [Message] = []

  private static let maximumPictureBytes = 10 << 20

  /// Reads the products.
  ///
  /// - Parameters:
  ///   - source: The file or folder that a lesson names.
  ///   - vendors: The names of the vendors that may have products.
  /// - Throws: `CommandError` with each line or file that cannot be used; `FileError` if nothing can be read.
  init(_ source: ConfinedPath, vendors: Set<String>) throws {
    if source.kind == .folder {
      try readFolder(source)
    } else {
      try readCSV(source, vendors)
    }
    // A product without a number gets one above all others.
    products = products.filter { $0.id != nil } + products.filter { $0.id == nil }
  }

  // MARK: CSV

  private mutating func readCSV(_ file: ConfinedPath, _ vendors: Set<String>) throws {
    let path = file.path
    let bytes = try file.contents(limit: 256 << 20)
    let text: String
    do throws(DecodedText.Fault) {
      text = try DecodedText(bytes).text
    } catch {
      guard case .invalid(let byte, _) = error else { throw FileError.notText(path: path) }
      throw FileError.notText(path: path, at: byte)
    }
    var problems = ImportProblems(path)
    let rows = ImportCSV(names: FieldNameTable(discountedPriceIs: .discount)).table(of: text, &problems).rows
    var numbers: Set<Product.ID> = []
    for row in rows {
      do {
        if let id = row.id, !numbers.insert(id).inserted {
          throw ParseError(LocalizedText("Product \(id) occurs twice.", ko: "\(id)번 상품이 두 번 나옵니다."))
        }
        if let vendor = row.text(.vendor), !vendors.contains(vendor) {
          problems.add(
            row.line,
            LocalizedText("there is no vendor named \(.foreign(vendor))", ko: "\(.foreign(vendor)) 판매자가 없습니다"))
        }
        products.append(try LessonProducts.product(row, in: file.parent))
      } catch let error as ParseError {
        problems.add(row.line, error)
      } catch {
        problems.add(row.line, error)
      }
    }
    try problems.throwIfAny()
    remarks = problems.remarks
  }

  private static func product(_ row: ImportRow, in folder: ConfinedPath) throws -> InitialProduct {
    var fields = NewProductFields()
    for cell in row.cells where !cell.isCleared && (cell.field.isImported || cell.field == .images) {
      try fields.set(cell.field.rawValue, text: cell.text, limits: .server)
    }
    guard fields.name != nil, fields.price != nil else {
      throw ParseError(
        LocalizedText(
          "\(.field(ProductField.name)) and \(.field(ProductField.price)) are needed.",
          ko: "\(.field(ProductField.name), .with) \(.field(ProductField.price), .subject) 필요합니다."))
    }
    // Every student can read the pictures, so a file that isn't a picture is refused.
    let pictures = try (fields.images ?? []).map { stated in
      try PictureUploadLoader.bytes(stated: stated, in: folder, limit: maximumPictureBytes)
    }
    let draft = try fields.draft(pictures: [], .server)
    return InitialProduct(
      id: row.id.map { Int64($0) }, vendor: row.text(.vendor), name: draft.name, description: draft.description,
      price: draft.price.description, discount: draft.discount.description, currency: draft.currency.code,
      stock: Int64(draft.stock), pictures: pictures)
  }

  // MARK: Folder

  private mutating func readFolder(_ source: ConfinedPath) throws {
    let folder = ProductFolder(source)
    let base = try FolderBase(at: folder.baseFile)
    var problems = FolderProblems(folder.typed)
    for file in folder.files(base, &problems) {
      let pulled = try file.id.flatMap { try base.entry($0) }
      guard let product = try file.product ?? pulled.map({ try ProductFile(parsing: $0.text) }) else { continue }
      do throws(ProductFile.Fault) {
        products.append(try LessonProducts.product(product, in: folder))
      } catch {
        problems.add("products/\(file.name)", error)
      }
    }
    try problems.throwIfAny()
  }

  private static func product(
    _ file: ProductFile, in folder: ProductFolder
  ) throws(ProductFile.Fault) -> InitialProduct {
    guard case .text(let name)? = file.values[.name], case .amount(let price)? = file.values[.price] else {
      throw ProductFile.Fault(
        line: 1,
        reason: LocalizedText(
          "\(.field(ProductField.name)) and \(.field(ProductField.price)) are needed",
          ko: "\(.field(ProductField.name), .with) \(.field(ProductField.price), .subject) 필요합니다"))
    }
    var result = InitialProduct(
      id: file.id.map { Int64($0) }, vendor: nil, name: name, description: "", price: price.description, discount: "0",
      currency: "KRW", stock: 0, pictures: [])
    if case .text(let text)? = file.values[.description] { result.description = text }
    if case .amount(let discount)? = file.values[.discount] { result.discount = discount.description }
    if case .text(let code)? = file.values[.currency] { result.currency = code }
    if case .number(let stock)? = file.values[.stock] { result.stock = Int64(stock) }
    if case .references(let paths)? = file.values[.images] {
      for path in paths {
        do throws(CommandError) {
          result.pictures.append(try folder.picture(path, limit: maximumPictureBytes))
        } catch {
          throw ProductFile.Fault(line: 1, reason: error.message.reasons.first ?? error.message.what)
        }
      }
    }
    return result
  }
}
