/// Clothing, bags and outdoor goods.
enum OutdoorGoods {
  static let list = [
    SampleProduct(
      motif: "shirt", korean: "리넨 셔츠", english: "Linen shirt",
      koreanText: "여름 내내 입는 셔츠. 빨수록 부드러워집니다.",
      englishText: "All summer long; softer with every wash.",
      won: 48000, cents: 3990),
    SampleProduct(
      motif: "shirt", korean: "면 티셔츠", english: "Cotton T-shirt",
      koreanText: "도톰한 면, 목이 늘어나지 않습니다.",
      englishText: "Heavy cotton, the collar keeps its shape.",
      won: 19000, cents: 1590),
    SampleProduct(
      motif: "shoe", korean: "러닝화", english: "Running shoes",
      koreanText: "두 번 신었습니다. 발이 작아서 팔아요.",
      englishText: "Worn twice. They were half a size too small.",
      won: 99000, cents: 8490),
    SampleProduct(
      motif: "shoe", korean: "가죽 구두", english: "Leather shoes",
      koreanText: "밑창을 새로 갈았습니다. 오래 신으실 수 있어요.",
      englishText: "Freshly resoled, many years left in them.",
      won: 139000, cents: 11900),
    SampleProduct(
      motif: "bag", korean: "캔버스 에코백", english: "Canvas tote",
      koreanText: "노트북이 들어가는 두꺼운 캔버스.",
      englishText: "Thick canvas, takes a laptop.",
      won: 24000, cents: 1990),
    SampleProduct(
      motif: "bag", korean: "가죽 크로스백", english: "Leather crossbody",
      koreanText: "손바느질로 만든 작은 가방.",
      englishText: "Small, and stitched by hand.",
      won: 119000, cents: 9490),
    SampleProduct(
      motif: "umbrella", korean: "장우산", english: "Long umbrella",
      koreanText: "바람에 뒤집히지 않는 살 열여섯 개.",
      englishText: "Sixteen ribs that do not turn in the wind.",
      won: 31000, cents: 2690),
    SampleProduct(
      motif: "umbrella", korean: "접는 우산", english: "Folding umbrella",
      koreanText: "이백 그램. 가방에 늘 넣어 두세요.",
      englishText: "Two hundred grams. Leave it in your bag.",
      won: 22000, cents: 1890),
    SampleProduct(
      motif: "bicycle", korean: "미니벨로", english: "Folding bicycle",
      koreanText: "접어서 지하철에 탑니다. 기어 일곱 단.",
      englishText: "Folds for the subway. Seven gears.",
      won: 430000, cents: 34900),
    SampleProduct(
      motif: "bicycle", korean: "로드 자전거", english: "Road bicycle",
      koreanText: "작년에 점검받았습니다. 키 175 전후에 맞아요.",
      englishText: "Serviced last year. Fits around 175 cm.",
      won: 890000, cents: 68900),
    SampleProduct(
      motif: "guitar", korean: "통기타", english: "Acoustic guitar",
      koreanText: "줄을 새로 갈았습니다. 처음 배우기에 좋습니다.",
      englishText: "New strings. A kind first guitar.",
      won: 170000, cents: 13900),
    SampleProduct(
      motif: "guitar", korean: "우쿨렐레", english: "Ukulele",
      koreanText: "가방과 튜너까지 드립니다.",
      englishText: "Bag and tuner included.",
      won: 62000, cents: 4990),
    SampleProduct(
      motif: "ball", korean: "축구공", english: "Football",
      koreanText: "공식 크기 5호. 바람 넣어 보냅니다.",
      englishText: "Official size 5, sent inflated.",
      won: 28000, cents: 2290),
    SampleProduct(
      motif: "ball", korean: "요가 볼", english: "Yoga ball",
      koreanText: "지름 65센티미터, 펌프 포함.",
      englishText: "65 cm, with pump.",
      won: 23000, cents: 1890),
    SampleProduct(
      motif: "backpack", korean: "등산 배낭", english: "Hiking backpack",
      koreanText: "35리터, 비 덮개가 들어 있습니다.",
      englishText: "35 litres with a rain cover.",
      won: 96000, cents: 7990),
    SampleProduct(
      motif: "backpack", korean: "백팩", english: "Everyday backpack",
      koreanText: "노트북 칸이 따로 있고 물에 강합니다.",
      englishText: "A pocket for the laptop, and it shrugs off rain.",
      won: 59000, cents: 4790),
  ]
}
