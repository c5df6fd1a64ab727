/** Whether a text is an absolute HTTP or HTTPS address without a fragment, as the server requires. */
export function isWebAddress(text: string): boolean {
  const url = URL.parse(text.trim())
  return url !== null && /^https?:$/.test(url.protocol) && !url.hash
}
