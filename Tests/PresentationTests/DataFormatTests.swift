import Catalog
import Presentation
import Testing
import Text

/// The data formats byte for byte.
struct DataFormatTests {
  private let options = RenderOptions()
  private let some = Report.product(Samples.products[3], fields: [.id, .name, .description, .price, .images])
  private let whole =
    #"{"id":32,"name":"우유병 텀블러","description":"유리로 만든 텀블러입니다.\n\n뜨거운 물도 괜찮습니다, 500 ml.","#
    + #""price":3500,"discount":100,"sale":3400,"currency":"KRW","stock":2,"vendor":"red123","vendor_id":15,"#
    + #""created":"2022-10-18T00:00:00","modified":"2022-10-18T00:00:00","#
    + #""thumbnail":"https://market.example/small/35.jpg","images":[{"id":35,"url":"https://market.example/35.jpg","#
    + #""thumbnail":"https://market.example/small/35.jpg"},"#
    + #"{"id":36,"url":"https://market.example/36.jpg","thumbnail":null}]}"# + "\n"

  @Test func productAsJSONEqualsText() {
    #expect(JSONRenderer().render(.product(Samples.products[0], fields: nil), options) == whole)
    #expect(JSONLinesRenderer().render(.product(Samples.products[0], fields: nil), options) == whole)
  }

  @Test func controlCharactersAreEscapedInJSON() {
    let text =
      #"{"id":9,"name":"=evil\u001b]0;x\u0007\t\u202e\n한줄","description":"a\u009bb\u2028c \"q\", d","#
      + #""price":null,"images":null}"# + "\n"
    #expect(JSONRenderer().render(some, options) == text)
  }

  @Test func listAsJSONEqualsText() {
    let page = Page(
      number: 2, size: 20, total: 1387, last: 70, hasNext: true, hasPrevious: nil, products: [Product(id: 1)])
    let listing = Listing(page, columns: [.id, .price])
    #expect(
      JSONRenderer().render(.listing(listing), options)
        == #"{"page":2,"size":20,"total":1387,"last_page":70,"has_next":true,"has_prev":null,"products":[{"id":1,"price":null}]}"#
        + "\n")
    #expect(JSONLinesRenderer().render(.listing(listing), options) == #"{"id":1,"price":null}"# + "\n")
    let scan = Listing(page, columns: [.id], scan: .init(pagesRead: 3, productsRead: 60, isComplete: true))
    #expect(
      JSONRenderer().render(.listing(scan), options)
        == #"{"page":null,"size":20,"total":1387,"last_page":70,"has_next":true,"has_prev":null,"pages_read":3,"complete":true,"products":[{"id":1}]}"#
        + "\n")
  }

  @Test func tableAsJSONEqualsText() {
    #expect(
      JSONRenderer().render(.rows(Samples.table), RenderOptions(language: .korean))
        == #"[{"n":1,"action":"patched","detail":{"price":12000,"name":"우유병 텀블러와 아주 긴 이름"},"time":"2022-02-01T00:00:00Z"},"#
        + #"{"n":12,"action":"+delete","detail":["a",true,null],"time":null}]"# + "\n")
    #expect(JSONRenderer().render(.rows(Samples.single), options).hasPrefix(#"{"name":"김철수","note":"#))
  }

  @Test func rowsAsCSVEqualText() {
    #expect(
      FlatRenderer(.csv).render(some, options)
        == "id,name,description,price,images\n9,\"'=evil\u{1B}]0;x\u{7}\t\u{202E}\n한줄\",\"a\u{9B}b\u{2028}c \"\"q\"\", d\",,\n"
    )
    #expect(
      FlatRenderer(.csv).render(.rows(Samples.table), options)
        == "n,action,detail,time\n1,patched,\"{\"\"price\"\":12000,\"\"name\"\":\"\"우유병 텀블러와 아주 긴 이름\"\"}\","
        + "2022-02-01T00:00:00Z\n12,'+delete,\"[\"\"a\"\",true,null]\",\n")
  }

  @Test func rowsAsTSVEqualText() {
    let file =
      "id\tname\tdescription\tprice\timages\n9\t=evil\u{1B}]0;x\u{7}\\t\u{202E}\\n한줄\ta\u{9B}b\u{2028}c \"q\", d\t\t\n"
    #expect(FlatRenderer(.tsv).render(some, options) == file)
    let screen =
      "id\tname\tdescription\tprice\timages\n9\t=evil^[]0;x^G\\t\\u{202E}\\n한줄\ta\\u{9B}b\\u{2028}c \"q\", d\t\t\n"
    #expect(FlatRenderer(.tsv).render(some, RenderOptions(isTerminal: true)) == screen)
  }

  @Test func rowsAsMarkdownEqualText() {
    #expect(
      FlatRenderer(.markdown).render(.product(Product(id: 1, name: "a|b <c> *d*\ne"), fields: [.id, .name]), options)
        == "| id | name |\n| ---: | --- |\n| 1 | a\\|b &lt;c> \\*d\\*<br>e |\n")
  }

  @Test(arguments: ["=1", "+1", "-1", "@x", "\t=", "'=1", "''=", "\"=1", " =1", "x", "", "'", "it's", "'x", "''"])
  func formulaGuardIsRemovedExactly(text: String) {
    #expect(CSVInjection.unescape(CSVInjection.escape(text)) == text)
    #expect(!["=", "+", "-", "@", "\t"].contains(CSVInjection.escape(text).prefix(1)))
  }

  @Test(arguments: [
    (0, "0 B"), (1023, "1023 B"), (1024, "1 KB"), (307_199, "299 KB"), (5_347_737, "5.0 MB"), (1 << 31, "2.0 GB"),
  ])
  func byteCountsAreShownWithUnits(count: Int, text: String) {
    #expect(NumberFormatting.bytes(count) == text)
  }
}
