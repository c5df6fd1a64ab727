import { createHash } from 'node:crypto'
import type { Language } from '../events/event-types.ts'

/** Pages for whoever has their address: small, of one piece, without scripts. */

const STYLE = `:root{color-scheme:light dark;font:1.0625rem/1.5 system-ui,sans-serif}
body{margin:0;min-height:100vh;display:grid;place-items:center}
main{box-sizing:border-box;max-width:40rem;padding:1.5rem;text-align:center}
h1{font-size:1.375rem;line-height:1.3;margin:0 0 1rem}
fieldset{border:0;margin:0;padding:0}
.rates{display:flex;flex-wrap:wrap;gap:.5rem;justify-content:center}
button{font:inherit;min-width:3rem;min-height:3rem;border:1px solid;border-radius:.5rem;background:Canvas;color:CanvasText;cursor:pointer}
button:hover{background:CanvasText;color:Canvas}
button:focus-visible{outline:3px solid Highlight;outline-offset:2px}
.ends{display:flex;justify-content:space-between;gap:1rem;font-size:.9375rem}
[role=alert]{font-weight:600}`

const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** Nothing of the page is kept, framed, found by a search or told to the next page. */
export const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': POLICY,
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex, nofollow',
  'cache-control': 'no-store',
}

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (letter) => entities[letter] as string)

/** `title` is text, `content` is HTML. */
export const htmlPage = (lang: Language, title: string, content: string): string =>
  `<!doctype html><html lang="${lang}"><head><meta charset="utf-8">` +
  '<meta name="viewport" content="width=device-width, initial-scale=1">' +
  `<title>${escapeHtml(title)}</title><style>${STYLE}</style></head><body><main>${content}</main></body></html>`

const gone: Record<Language, [title: string, text: string]> = {
  en: ['Page not found', 'There is nothing at this address. Please check whether it is complete.'],
  es: ['Página no encontrada', 'No hay nada en esta dirección. Compruebe que esté completa.'],
  ru: ['Страница не найдена', 'По этому адресу ничего нет. Проверьте, полностью ли он указан.'],
  pt: ['Página não encontrada', 'Não há nada neste endereço. Verifique se ele está completo.'],
}

/** The same for every address that leads nowhere, in the first language of ours that the visitor's browser names. */
export function goneHtml(acceptLanguage: string | undefined): string {
  const named = (acceptLanguage ?? '').toLowerCase().match(/(?<![a-z-])[a-z]{2}(?![a-z])/g) ?? []
  const lang = (named.find((one) => Object.hasOwn(gone, one)) ?? 'en') as Language
  const [title, text] = gone[lang]
  return htmlPage(lang, title, `<h1>${title}</h1><p>${text}</p>`)
}
