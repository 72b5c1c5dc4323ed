import Foundation
import Images
import Testing

@Suite struct CanvasTests {
  @Test func `A pixel is blended by the area that is covered`() {
    var canvas = Canvas(side: 4, ground: .plain(.black))
    canvas.fill(.box(x: 25, y: 25, width: 37.5, height: 50), .plain(.white))
    let rows = (0..<4).map { y in (0..<4).map { canvas.bitmap[$0, y].red } }
    #expect(rows == [[0, 0, 0, 0], [0, 255, 128, 0], [0, 255, 128, 0], [0, 0, 0, 0]])
  }

  @Test func `A shape is clipped at the canvas`() {
    var canvas = Canvas(side: 4, ground: .plain(.black))
    canvas.fill(.circle(Point(-400, 50), 20), .plain(.white))
    canvas.fill(.circle(Point(50, 900), 20), .plain(.white))
    canvas.fill(.circle(Point(.nan, 50), 20), .plain(.white))
    #expect(canvas.bitmap == Bitmap(width: 4, height: 4, fill: .black))
    canvas.fill(.box(x: -500, y: -500, width: 1000, height: 1000), .plain(.white))
    #expect(canvas.bitmap == Bitmap(width: 4, height: 4, fill: .white))
  }

  @Test(arguments: Subject.allCases)
  func `A drawing depends only on its shapes and colours`(motif: Subject) throws {
    let drawing = ProductArt.draw(motif, palette: 7, side: 48)
    #expect(drawing == ProductArt.draw(motif, palette: 7, side: 48))
    #expect(drawing != ProductArt.draw(motif, palette: 8, side: 48))
    #expect(!drawing.hasTransparency)
    let others = Subject.allCases.filter { $0 != motif }.prefix(3)
    #expect(others.allSatisfy { ProductArt.draw($0, palette: 7, side: 48) != drawing })
  }
}
