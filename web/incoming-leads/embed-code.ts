/** The code that puts a form on a page. */
export function embedCode({ name, url }: { name: string; url: string }): string {
  const title = name.replaceAll('&', '&amp;').replaceAll('"', '&quot;')
  return `<iframe src="${url}" title="${title}" width="100%" height="640" style="border:0"></iframe>`
}
