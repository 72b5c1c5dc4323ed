import Foundation
import ShellRuntime
import ShellTesting
import TestSupport
import Testing

/// `log` and `calls` at a terminal: one line a write, run or call in 80 columns; data formats have every column.
@Suite(.timeLimit(Trial.limit)) struct LogTableTests {
  @Test(arguments: [
    ("en", ["price ₩19,000 → ₩18,500", "deleted", "done"]), ("ko", ["정가 ₩19,000 → ₩18,500", "삭제", "완료"]),
  ])
  func logPrintsOneLinePerRun(_ language: String, _ words: [String]) async throws {
    // The writes are of today, at noon.
    let noon = 1_669_896_000
    try await Sandbox.with(
      width: 80, clock: LeapingClock(at: Int64(noon)),
      adjusting: { $0.clock.now = { Date(timeIntervalSince1970: TimeInterval(noon)) } }
    ) { sandbox in
      _ = await sandbox.run("set lang \(language); set colors off")
      _ = await sandbox.run("patch 138 price=18500 yes note '가을 할인 전에 정가를 다시 맞춤'")
      _ = await sandbox.run("patch 132,126 stock+=1 description='아주 긴 설명으로 바꾸어 한 줄에 다 들어가지 않게 합니다.' yes")
      _ = await sandbox.run("rm 120 yes")
      _ = await sandbox.run("raw PATCH /api/products/138 stock=7 yes")
      let lines = await sandbox.run("log").split(separator: "\n").map(String.init)
      #expect(lines.count == 2 + 4, "\(lines.joined(separator: "\n"))")
      for (line, name) in zip(
        lines.dropFirst(2), ["PATCH /api/pro", "120 먹색 리넨 셔츠", language == "en" ? "2 products" : "상품 2개", "138 먹색 요리책"])
      {
        #expect(line.contains(name))
        #expect(CellCount.of(line) <= 80)
      }
      for word in words { #expect(lines.contains { $0.contains(word) }, "\(lines.joined(separator: "\n"))") }
      let run = await sandbox.run("log r2")
      #expect(run.contains("126 먹색 접이식") && run.contains("132 먹색 요가 볼"), "\(run)")
      let one = await sandbox.run("log 1")
      #expect(one.split(separator: "\n").count == 3)
      let data = await sandbox.run("log 1 as csv")
      #expect(data.hasPrefix("n,time,profile,action,product,batch,before,after,outcome,detail,note,actor,name\n"))
    }
  }

  @Test(arguments: ["en", "ko"]) func callsPrintsOneLinePerCall(_ language: String) async throws {
    try await Sandbox.with(width: 80) { sandbox in
      _ = await sandbox.run("set lang \(language); set colors off")
      _ = await sandbox.run("ls size 2 search 우산")
      _ = await sandbox.run("show 138 id")
      _ = await sandbox.run("get /api/products page_no=1 items_per_page=10 search_value=Ukulele")
      let lines = await sandbox.run("calls 3").split(separator: "\n").map(String.init)
      #expect(lines.filter { $0.contains("GET") }.count == 3, "\(lines.joined(separator: "\n"))")
      for line in lines { #expect(CellCount.of(line) <= 80, "\(line)") }
      #expect(lines.count <= 6)
      let data = await sandbox.run("calls 1 as csv")
      #expect(data.hasPrefix("n,time,profile,method,path,status,ms,size\n"))
    }
  }

  /// Cells of a line of Hangul and box drawing.
  private enum CellCount {
    static func of(_ line: String) -> Int {
      line.unicodeScalars.reduce(0) { $0 + (0x1100...0x115F ~= $1.value || 0xAC00...0xD7A3 ~= $1.value ? 2 : 1) }
    }
  }
}
