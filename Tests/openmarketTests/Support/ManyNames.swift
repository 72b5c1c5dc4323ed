/// A market of three products whose names are Korean, English and emoji.
enum ManyNames {
  static let names = [(44, "우유병 텀블러, 뚜껑이 꼭 맞는 것"), (43, "Stone lamp"), (42, "🔥 불꽃 lamp 🐟 그리고 아주 긴 이름을 가진 상품입니다")]

  static func answer(_ request: RecordingServer.Request) -> String? {
    let rows = names.map { id, name in
      SmallMarket.row.replacing("\"id\":42", with: "\"id\":\(id)").replacing("우유병 텀블러", with: name)
    }
    if request.line.hasPrefix("GET /api/products?") {
      return reply("200 OK", SmallMarket.page.replacing(SmallMarket.row, with: rows.joined(separator: ",")))
    }
    return SmallMarket.answer(request)
  }
}
