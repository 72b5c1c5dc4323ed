/// A kind of product in both languages.
struct SampleProduct: Sendable {
  var motif: String
  var korean: String
  var english: String
  var koreanText: String
  var englishText: String
  /// The price in KRW.
  var won: Int64
  /// The price in US cents.
  var cents: Int64
}

/// All goods of the sample market.
///
/// Their number must not be divisible by 5, the step in which the market takes them.
enum SampleCatalog {
  static let list = DeviceGoods.list + HomeGoods.list + OutdoorGoods.list
}

/// Electronic devices and cameras.
enum DeviceGoods {
  static let list = [
    SampleProduct(
      motif: "laptop", korean: "13인치 노트북", english: "13-inch laptop",
      koreanText: "가볍고 조용한 노트북입니다. 하루 종일 쓰는 배터리, 선명한 화면. 충전기와 파우치를 함께 드립니다.",
      englishText: "Light, silent, a full day on one charge. Comes with charger and sleeve.",
      won: 1290000, cents: 99900),
    SampleProduct(
      motif: "laptop", korean: "게이밍 노트북", english: "Gaming laptop",
      koreanText: "고주사율 화면과 넉넉한 그래픽 메모리. 여섯 달 쓴 깨끗한 제품입니다.",
      englishText: "High refresh screen and plenty of graphics memory. Used six months, no scratches.",
      won: 1850000, cents: 149900),
    SampleProduct(
      motif: "laptop", korean: "노트북 거치대", english: "Laptop stand",
      koreanText: "알루미늄 한 덩어리로 깎은 거치대. 목이 편해지는 높이입니다.",
      englishText: "Cut from one piece of aluminium. Puts the screen where your neck wants it.",
      won: 39000, cents: 3490),
    SampleProduct(
      motif: "phone", korean: "스마트폰", english: "Smartphone",
      koreanText: "자급제 새 제품, 미개봉입니다. 유심만 꽂으면 바로 씁니다.",
      englishText: "Unlocked and sealed. Put in a SIM and go.",
      won: 890000, cents: 69900),
    SampleProduct(
      motif: "phone", korean: "접는 스마트폰", english: "Folding phone",
      koreanText: "펼치면 작은 태블릿이 됩니다. 힌지 상태 아주 좋아요.",
      englishText: "Opens into a small tablet. The hinge is as good as new.",
      won: 1490000, cents: 119900),
    SampleProduct(
      motif: "phone", korean: "스마트폰 케이스", english: "Phone case",
      koreanText: "손에 착 감기는 무광 케이스. 무선 충전 됩니다.",
      englishText: "Matte and grippy, charges wirelessly.",
      won: 15000, cents: 1290),
    SampleProduct(
      motif: "headphones", korean: "무선 헤드폰", english: "Wireless headphones",
      koreanText: "주변 소음을 지우는 헤드폰. 한 번 충전으로 서른 시간 갑니다.",
      englishText: "Takes the street away. Thirty hours on one charge.",
      won: 249000, cents: 19900),
    SampleProduct(
      motif: "headphones", korean: "스튜디오 모니터 헤드폰", english: "Studio headphones",
      koreanText: "평평한 소리, 갈아 끼우는 케이블. 녹음용으로 썼습니다.",
      englishText: "Flat sound, replaceable cable. Served one album well.",
      won: 189000, cents: 15900),
    SampleProduct(
      motif: "camera", korean: "필름 카메라", english: "Film camera",
      koreanText: "셔터 소리가 좋은 수동 카메라. 노출계까지 잘 됩니다.",
      englishText: "Fully manual with a shutter you can hear. The meter works.",
      won: 320000, cents: 24900),
    SampleProduct(
      motif: "camera", korean: "미러리스 카메라", english: "Mirrorless camera",
      koreanText: "여행에 들고 다니기 좋은 크기. 컷 수 삼천 이하입니다.",
      englishText: "Small enough for every trip. Under three thousand frames.",
      won: 980000, cents: 79900),
    SampleProduct(
      motif: "camera", korean: "즉석 카메라", english: "Instant camera",
      koreanText: "찍자마자 나오는 사진. 필름 한 통을 넣어 드립니다.",
      englishText: "The picture is there before the laugh is over. One pack of film included.",
      won: 89000, cents: 7990),
    SampleProduct(
      motif: "watch", korean: "가죽 손목시계", english: "Leather watch",
      koreanText: "얇고 가벼운 쿼츠 시계. 줄은 소가죽입니다.",
      englishText: "Thin quartz on a cowhide strap.",
      won: 129000, cents: 9900),
    SampleProduct(
      motif: "watch", korean: "스마트워치", english: "Smartwatch",
      koreanText: "심박과 수면을 재고 이틀을 갑니다. 줄 두 개 포함.",
      englishText: "Heart rate, sleep, two days of battery. Two straps.",
      won: 210000, cents: 17900),
    SampleProduct(
      motif: "keyboard", korean: "기계식 키보드", english: "Mechanical keyboard",
      koreanText: "조용한 갈색 축. 한영 각인이 또렷합니다.",
      englishText: "Quiet brown switches, crisp legends.",
      won: 118000, cents: 8900),
    SampleProduct(
      motif: "keyboard", korean: "접이식 키보드", english: "Folding keyboard",
      koreanText: "주머니에 들어가는 블루투스 키보드.",
      englishText: "Bluetooth, and it fits a coat pocket.",
      won: 52000, cents: 4490),
  ]
}

/// Goods for the home.
enum HomeGoods {
  static let list = [
    SampleProduct(
      motif: "mug", korean: "백자 머그컵", english: "Porcelain mug",
      koreanText: "손으로 빚어 하나하나 다릅니다. 식기세척기에 넣어도 됩니다.",
      englishText: "Thrown by hand, no two alike. Dishwasher safe.",
      won: 18000, cents: 1690),
    SampleProduct(
      motif: "mug", korean: "보온 텀블러", english: "Insulated tumbler",
      koreanText: "얼음이 저녁까지 남습니다. 뚜껑이 새지 않아요.",
      englishText: "Ice lasts till evening. The lid does not leak.",
      won: 29000, cents: 2490),
    SampleProduct(
      motif: "mug", korean: "찻잔 두 개", english: "Pair of tea cups",
      koreanText: "차가 식지 않게 두텁게 만들었습니다. 상자에 담아 보냅니다.",
      englishText: "Thick walls keep the tea warm. Sent in a box.",
      won: 34000, cents: 2990),
    SampleProduct(
      motif: "chair", korean: "원목 의자", english: "Oak chair",
      koreanText: "참나무로 짠 식탁 의자. 못을 쓰지 않았습니다.",
      englishText: "Solid oak, joined without a single screw.",
      won: 159000, cents: 13900),
    SampleProduct(
      motif: "chair", korean: "사무용 의자", english: "Office chair",
      koreanText: "허리를 받쳐 주는 메쉬 의자. 직접 조립하셔야 해요.",
      englishText: "Mesh back with real lumbar support. Some assembly.",
      won: 219000, cents: 18900),
    SampleProduct(
      motif: "chair", korean: "캠핑 의자", english: "Camp chair",
      koreanText: "접으면 팔뚝만 합니다. 백 킬로그램까지 앉습니다.",
      englishText: "Folds to the size of a forearm, holds 100 kg.",
      won: 45000, cents: 3990),
    SampleProduct(
      motif: "lamp", korean: "책상 스탠드", english: "Desk lamp",
      koreanText: "밝기 다섯 단계, 눈부심이 없습니다.",
      englishText: "Five levels of light, no glare.",
      won: 49000, cents: 3890),
    SampleProduct(
      motif: "lamp", korean: "한지 조명", english: "Paper lamp",
      koreanText: "한지로 감싼 은은한 불빛. 전구 포함입니다.",
      englishText: "A soft light through mulberry paper. Bulb included.",
      won: 78000, cents: 6490),
    SampleProduct(
      motif: "plant", korean: "몬스테라 화분", english: "Monstera in a pot",
      koreanText: "잎이 세 장 새로 났습니다. 물은 한 주에 한 번.",
      englishText: "Three new leaves this spring. Water once a week.",
      won: 32000, cents: 2690),
    SampleProduct(
      motif: "plant", korean: "다육이 세트", english: "Set of succulents",
      koreanText: "작은 다육이 다섯 개. 햇볕만 있으면 됩니다.",
      englishText: "Five small ones that ask for nothing but sun.",
      won: 21000, cents: 1790),
    SampleProduct(
      motif: "plant", korean: "올리브 나무", english: "Olive tree",
      koreanText: "키 일 미터 남짓. 베란다에서 잘 자랐습니다.",
      englishText: "A bit over a metre, raised on a balcony.",
      won: 68000, cents: 5490),
    SampleProduct(
      motif: "book", korean: "단편 소설집", english: "Short stories",
      koreanText: "밑줄 없이 깨끗하게 읽은 책입니다.",
      englishText: "Read once, no marks.",
      won: 12000, cents: 990),
    SampleProduct(
      motif: "book", korean: "요리책", english: "Cookbook",
      koreanText: "사계절 반찬 백 가지. 사진이 좋습니다.",
      englishText: "A hundred side dishes through four seasons. Good photographs.",
      won: 19000, cents: 1690),
    SampleProduct(
      motif: "book", korean: "스위프트 입문서", english: "Swift for beginners",
      koreanText: "처음 배우는 분께. 예제 코드는 모두 돌아갑니다.",
      englishText: "For the first steps. Every example runs.",
      won: 27000, cents: 2390),
    SampleProduct(
      motif: "kettle", korean: "주물 주전자", english: "Cast iron kettle",
      koreanText: "물맛이 둥글어지는 무쇠 주전자.",
      englishText: "Cast iron, and the water tastes rounder for it.",
      won: 87000, cents: 6990),
    SampleProduct(
      motif: "kettle", korean: "전기 주전자", english: "Electric kettle",
      koreanText: "온도를 1도씩 맞춥니다. 드립 커피에 좋아요.",
      englishText: "Sets the temperature to the degree. Made for pour-over.",
      won: 64000, cents: 5290),
  ]
}

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
