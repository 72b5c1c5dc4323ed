import Catalog
import CommandLanguage
import Testing

@testable import Commands

@Suite struct HeadingWordTests {
  @Test(
    arguments: [
      ("품명", HeadingWord.field(.name)), ("상품명(필수)", .field(.name)), ("Item Name", .field(.name)),
      ("PRODUCT", .field(.name)),
      ("상품번호", .field(.id)), ("Product ID", .field(.id)), ("Item No.", .code), ("번호", .code), ("SKU", .code),
      ("공급가 (VAT별도)", .cost), ("Unit price", .cost), ("매입단가", .cost), ("소비자가", .field(.price)), ("RRP", .field(.price)),
      ("판매가", .field(.sale)), ("Qty.", .field(.stock)), ("재고\n수량", .field(.stock)), ("통화", .field(.currency)),
      ("비고", nil), ("", nil), ("(재고)", nil), ("48", nil),
    ] as [(String, HeadingWord?)])
  func headingHasItsMeaning(_ heading: String, _ word: HeadingWord?) {
    #expect(HeadingWord(heading, .editionIndependent) == word)
  }
}
