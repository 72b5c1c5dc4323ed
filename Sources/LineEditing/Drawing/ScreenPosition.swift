/// A position on the screen, counted from 0.
struct ScreenPosition: Equatable {
  var row = 0
  var column = 0
}
