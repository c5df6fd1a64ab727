/** The mistakes that are known, with a sentence for each. `{detail}` is what the mistake is about. */
export const mistakes = {
  older_recipe: 'Only the body was signed, but the headers Date and Content-MD5 select the newer recipe.',
  newer_recipe: 'The newer recipe was signed, but it needs both headers: Date and Content-MD5.',
  json_spacing: 'The body was signed with other white space between its members than it was sent with.',
  json_slashes: 'Slashes are escaped (\\/) in only one of the two: the signed body and the sent one.',
  json_unicode:
    'Characters beyond ASCII are escaped (\\uXXXX) in only one of the two: the signed body and the sent one.',
  json_html:
    'The characters <, > and & are escaped (\\u003c) in only one of the two: the signed body and the sent one.',
  json_members: 'The members of the body were signed in another order than they were sent in.',
  wrong_charset: 'The body was signed in another character set: {detail}.',
  sent_charset: 'The body was signed in UTF-8, but sent in another character set: {detail}.',
  line_ends: 'The body was signed with other line ends (LF or CRLF) than it was sent with.',
  final_newline: 'The signed body ends with a line break that the sent one does not have.',
  trimmed: 'The signed body lacks the white space at the beginning or the end of the sent one.',
  empty_body: 'An empty text was signed instead of the body.',
  md5_of_nothing: 'The MD5 is that of an empty text, not that of the body.',
  md5_base64: 'The MD5 is written in base64. It must be lower-case hex.',
  md5_upper_hex: 'The MD5 is written in upper-case hex. It must be lower-case.',
  other_digest: 'The digest of the body is not its MD5, but {detail}.',
  method_case: 'The method was signed in lower case.',
  other_method: 'Another method was signed: {detail}.',
  type_parameters:
    'The signed Content-Type differs from the sent one in its parameters, such as charset: {detail}.',
  other_type: 'Another Content-Type was signed: {detail}.',
  date_format: 'The date was signed in another form than it was sent in: {detail}.',
  other_second: 'Another second was signed than the one in the header Date: {detail}.',
  path_host: 'The signed path contains the host. Only the path is signed.',
  path_query: 'The signed path contains the query. Only the path is signed.',
  path_leading_slash: 'The signed path lacks its leading slash.',
  path_trailing_slash: 'The signed path and the sent one differ in a slash at the end.',
  path_part: 'The signed path is only a part of the sent one: {detail}.',
  joined_by_n:
    'The lines are joined by {detail} instead of a line feed. Escapes need double quotes in some languages.',
  joined_by_crlf: 'The lines are joined by CRLF instead of a line feed.',
  other_separator: 'The parts are joined by {detail}.',
  last_newline: 'The signed text ends with a line break.',
  other_order: 'The parts are signed in another order: {detail}.',
  part_missing: 'A part is missing in the signed text: {detail}.',
  other_secret: 'It was signed with another secret: that of {detail}.',
  rotated_secret: 'It was signed with the previous secret, which is no longer valid.',
  integration_secret: 'It was signed with the secret of an integration, not with that of the channel.',
  id_as_secret: 'It was signed with the id of the channel instead of its secret.',
  empty_secret: 'It was signed with an empty secret.',
  secret_whitespace: 'The secret has white space at its beginning or its end.',
  secret_quotes: 'The secret has quotes around it.',
  secret_case: 'The secret is written in upper case.',
  secret_decoded: 'The secret was decoded before it was used: {detail}.',
  secret_encoded: 'The secret was encoded before it was used: {detail}.',
  other_algorithm: 'The signature was made with {detail}.',
  swapped: 'The key and the text of the HMAC are swapped.',
  not_hmac: 'The signature is a plain hash of {detail}, not an HMAC.',
  upper_hex: 'The signature is written in upper-case hex. It must be lower-case.',
  signature_base64: 'The signature is written in base64. It must be lower-case hex.',
  signature_hex: 'The signature is written in hex. It must be base64.',
  base64_of_hex: 'The hex text of the signature was encoded in base64 again.',
  signature_prefix: 'The signature has a prefix: {detail}.',
  signature_surrounded: 'The signature has white space or quotes around it.',
  signature_missing: 'The header X-Signature is missing.',
  date_missing: 'The header Date is missing, and the newer recipe needs it.',
  digest_missing: 'The header Content-MD5 is missing, and the newer recipe needs it.',
  bodyless:
    'A GET or a request without a body needs the newer recipe, with the headers Date and Content-MD5.',
  date_unreadable: 'The header Date has another form than “Sun, 01 Mar 2026 12:00:00 GMT”.',
  date_stale: 'The header Date is more than 15 minutes from now: {detail}.',
  digest_differs: 'The header Content-MD5 is not the MD5 of the body that was sent.',
} as const

export type MistakeId = keyof typeof mistakes

/** A mistake of a request. */
export interface Mistake {
  id: MistakeId
  /** The subject, such as the other method; null if there is nothing more to say. */
  detail: string | null
}

export const sentenceOf = ({ id, detail }: Mistake): string => mistakes[id].replace('{detail}', detail ?? '')
