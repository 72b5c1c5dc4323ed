import Catalog
import CommandLanguage
import Text

/// The meaning of a heading in a supplier's file, as far as a table of synonyms knows it.
///
/// It finds the heading row and proposes a recipe. What is written is decided by the user alone.
package enum HeadingWord: Hashable, Sendable {
  case field(ProductField)
  /// The price that the supplier asks, from which a formula computes the shop's price.
  case cost
  /// A number or code of the supplier, which may be a product number of the market or not.
  case code

  /// The name of such a column in a formula.
  package static let costName = "cost"

  /// Returns the meaning of a heading in either language, or `nil` for other texts.
  package init?(_ heading: String, _ names: FieldNameTable) {
    let plain = HeadingWord.plain(heading)
    guard !plain.isEmpty else { return nil }
    if let word = HeadingWord.words[plain] {
      self = word
    } else if let field = ImportColumns.column(heading.trimmed, names) {
      self = .field(field)
    } else {
      return nil
    }
  }

  /// Returns a heading in lower case without spaces, punctuation and the text in parentheses: `Unit Price (KRW)` as
  /// `unitprice`.
  package static func plain(_ heading: String) -> String {
    var depth = 0
    var result = String.UnicodeScalarView()
    for scalar in heading.lowercased().unicodeScalars {
      switch scalar {
      case "(", "[", "（": depth += 1
      case ")", "]", "）": depth = max(0, depth - 1)
      case _ where depth == 0 && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil):
        result.append(scalar)
      default: break
      }
    }
    return String(result)
  }

  private static let words: [String: HeadingWord] = {
    let words: [(HeadingWord, [String])] = [
      (.field(.id), ["id", "productid", "productno", "productnumber", "marketid", "상품번호", "상품id"]),
      (
        .code,
        [
          "no", "itemno", "itemnumber", "itemcode", "code", "sku", "article", "articleno", "articlenumber", "partno",
          "partnumber", "ref", "reference", "ean", "barcode", "model", "modelno", "번호", "순번", "연번", "품번", "품목번호",
          "품목코드", "코드", "상품코드", "제품코드", "바코드", "모델번호",
        ]
      ),
      (
        .field(.name),
        [
          "name", "title", "item", "itemname", "product", "productname", "goods", "articlename", "품명", "품목", "품목명",
          "상품", "상품명", "제품", "제품명", "이름", "모델명",
        ]
      ),
      (
        .cost,
        [
          "cost", "unitcost", "costprice", "unitprice", "wholesale", "wholesaleprice", "supplyprice", "dealerprice",
          "netprice", "buyingprice", "purchaseprice", "공급가", "공급가격", "공급단가", "단가", "원가", "도매가", "도매가격", "입고가",
          "입고단가", "매입가", "매입단가", "사입가", "납품가", "납품단가",
        ]
      ),
      (
        .field(.price),
        [
          "price", "listprice", "retail", "retailprice", "rrp", "msrp", "srp", "recommendedprice", "가격", "정가", "소비자가",
          "소비자가격", "권장가", "권장소비자가", "권장소비자가격", "권장판매가",
        ]
      ),
      (.field(.sale), ["saleprice", "sellingprice", "offer", "offerprice", "판매가", "판매가격", "할인가"]),
      (
        .field(.stock),
        [
          "stock", "qty", "quantity", "onhand", "available", "instock", "inventory", "stockqty", "availableqty", "pcs",
          "수량", "재고", "재고량", "재고수량", "재고수", "잔량", "현재고", "가용재고", "가용수량", "주문가능수량",
        ]
      ),
      (.field(.currency), ["currency", "cur", "통화", "화폐"]),
    ]
    return Dictionary(words.flatMap { word, texts in texts.map { ($0, word) } }) { first, _ in first }
  }()
}
