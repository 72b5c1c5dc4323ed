/// The products that can be drawn.
package enum Subject: String, Hashable, Sendable, CaseIterable {
  case laptop, phone, headphones, camera, watch, keyboard
  case mug, chair, lamp, plant, book, kettle
  case shirt, shoe, bag, umbrella
  case bicycle, guitar, ball, backpack
}
