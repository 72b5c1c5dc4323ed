import Text

extension PhraseTable {
  /// The Korean of what a check of `contract` expected and found.
  package static let contract = PhraseTable([
    ("as recorded", "저장된 응답과 같음"),
    ("keys and types as recorded", "키와 타입이 저장된 응답과 같음"),
    ("keys and types of a product", "상품의 키와 타입"),
    ("same as in the list", "목록과 같음"),
    ("descending IDs", "번호 내림차순"),
    ("no rows to check", "확인할 행이 없음"),
    ("at most {1} rows, none repeated from earlier pages", "최대 {1}행, 앞 페이지와 겹치지 않음"),
    ("rows repeated from earlier pages", "앞 페이지와 겹치는 행"),
    ("rows with {1} in name or vendor", "이름이나 판매자에 {1} 포함"),
    ("{1} matching rows", "조건에 맞는 {1}행"),
    ("rows that do not match", "조건에 맞지 않는 행"),
    ("different on {1} of {2}", "{2}행 중 {1}행이 다름"),
    ("200, 0 rows", "200, 0행"),
    ("{1} rows", "{1}행"),
    ("rows, {1} false", "행이 있고 {1} false"),
    ("not an object", "객체가 아님"),
    ("{1} is not a whole number", "{1}: 정수가 아님"),
    ("{1} is not a time", "{1}: 시각이 아님"),
    ("{1} is a boolean", "{1}: 불리언"),
    ("{1} is a number", "{1}: 숫자"),
    ("{1} is text", "{1}: 텍스트"),
    ("{1} is a list", "{1}: 배열"),
    ("{1} is an object", "{1}: 객체"),
    ("{1} is null", "{1}: null"),
    ("{1} is missing", "{1}: 없음"),
    ("missing: {1}", "없음: {1}"),
    ("available immediately", "바로 사용 가능"),
    ("not available", "사용할 수 없음"),
    ("not checked", "확인하지 않음"),
    ("not sent", "보내지 않음"),
    ("stock {1}", "재고 {1}"),
  ])
}
