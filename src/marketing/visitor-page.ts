import { createHash } from 'node:crypto'
import type { Language } from '../events/event-types.ts'

/** Small, self-contained pages without scripts, for everybody who has their address. */

/** The colours of the application. Browsers without light-dark use their own. */
const STYLE = `:root{color-scheme:light dark;font:1rem/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",Arial,sans-serif;
--page:light-dark(#fff,#17191c);--text:light-dark(#1c1e21,#e6e7e9);--soft:light-dark(#54575d,#b0b4bb);
--line:light-dark(#8a8c90,#777c84);--accent:light-dark(#0f6b78,#62cbd7);--on-accent:light-dark(#fff,#0c1214)}
body{margin:0;min-height:100vh;min-height:100svh;display:grid;place-items:center;background:var(--page);color:var(--text)}
main{box-sizing:border-box;width:100%;max-width:38rem;padding:2rem 1.25rem;text-align:center;overflow-wrap:anywhere}
h1{font-size:1.375rem;font-weight:600;line-height:1.35;margin:0 0 1.75rem;text-wrap:balance}
h1:has(+p){margin-bottom:.5rem}
p{margin:0;color:var(--soft)}
.who{margin-bottom:1.25rem;font-size:.875rem;font-weight:600}
svg{width:2.5rem;height:2.5rem;margin-bottom:1rem;fill:none;stroke:var(--accent);stroke-width:1.6;stroke-linecap:round;stroke-linejoin:round}
fieldset{min-width:0;border:0;margin:0;padding:0}
legend{width:100%;padding:0}
.rates{display:grid;grid-template-columns:repeat(10,1fr);gap:.375rem}
button{min-width:0;min-height:3rem;padding:0;border:1px solid var(--line);border-radius:.375rem;background:none;color:inherit;font:inherit;font-weight:500;font-variant-numeric:tabular-nums;cursor:pointer}
button:hover,button:active{border-color:var(--accent);background:var(--accent);color:var(--on-accent)}
button:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
.ends{display:flex;justify-content:space-between;gap:1.5rem;margin-top:.75rem;font-size:.875rem;text-align:start}
.ends span+span{text-align:end}
form.fields{display:grid;gap:1rem;text-align:start}
form.fields label{display:grid;gap:.25rem;font-size:.875rem;font-weight:500;color:var(--text)}
form.fields .check{grid-template-columns:auto 1fr;align-items:center;gap:.5rem}
form.fields .check input{min-height:1.25rem;width:1.25rem}
form.fields input,form.fields textarea,form.fields select{box-sizing:border-box;width:100%;min-height:2.75rem;padding:.5rem .75rem;border:1px solid var(--line);border-radius:.375rem;background:var(--page);color:inherit;font:inherit}
form.fields textarea{min-height:7rem;resize:vertical}
form.fields :is(input,textarea,select):focus-visible{outline:2px solid var(--accent);outline-offset:1px}
form.fields [aria-invalid=true]{border-color:light-dark(#b3261e,#f2b8b5)}
form.fields button{background:var(--accent);border-color:var(--accent);color:var(--on-accent)}
form.fields .wrong{font-weight:400;color:light-dark(#b3261e,#f2b8b5)}
form.fields .trap{position:absolute;left:-9999px;width:1px;height:1px;overflow:hidden}
[role=alert]{margin:-1rem 0 1.25rem;color:inherit;font-weight:600}
@media (max-width:32rem){.rates{grid-template-columns:repeat(5,1fr);gap:.5rem}h1{font-size:1.25rem}}`

const sourceOf = (code: string): string => `'sha256-${createHash('sha256').update(code).digest('base64')}'`

const POLICY = [
  "default-src 'none'",
  `style-src ${sourceOf(STYLE)}`,
  'img-src data:',
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** Prevents storing, framing and indexing the page, and sending its address to the next one. */
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

const { 'x-frame-options': _, ...unframed } = PAGE_HEADERS
/** The headers of a page that these sites can embed, with the one script that it may have. */
export const framedPageHeaders = (ancestors: string, script?: string) => ({
  ...unframed,
  'content-security-policy':
    POLICY.replace("frame-ancestors 'none'", `frame-ancestors ${ancestors}`) +
    (script === undefined ? '' : `; script-src ${sourceOf(script)}`),
  'cross-origin-resource-policy': 'cross-origin',
})

/** The headers of a page that every site can embed. */
export const FRAMED_PAGE_HEADERS = framedPageHeaders('*')

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (letter) => entities[letter] as string)

/** `title` is text and `content` is HTML. */
export const htmlPage = (lang: Language, title: string, content: string): string =>
  `<!doctype html><html lang="${lang}"><head><meta charset="utf-8">` +
  '<meta name="viewport" content="width=device-width, initial-scale=1">' +
  // Without it, browsers ask for /favicon.ico, and Firefox reports that the policy forbids it.
  '<link rel="icon" href="data:,">' +
  `<title>${escapeHtml(title)}</title><style>${STYLE}</style></head><body><main>${content}</main></body></html>`

const gone: Record<Language, [title: string, text: string]> = {
  en: ['Page not found', 'There is nothing at this address. Please check whether it is complete.'],
  es: ['Página no encontrada', 'No hay nada en esta dirección. Compruebe que esté completa.'],
  ru: ['Страница не найдена', 'По этому адресу ничего нет. Проверьте, полностью ли он указан.'],
  pt: ['Página não encontrada', 'Não há nada neste endereço. Verifique se ele está completo.'],
}

/** The language of pages of an account. */
export const languageOf = (language: string): Language =>
  (Object.hasOwn(gone, language) ? language : 'en') as Language

/** A visitor's preferred language among ours. */
export function preferredLanguage(acceptLanguage: string | undefined): Language {
  const named = (acceptLanguage ?? '').toLowerCase().match(/(?<![a-z-])[a-z]{2}(?![a-z])/g) ?? []
  return (named.find((one) => Object.hasOwn(gone, one)) ?? 'en') as Language
}

/** The same page for every unknown address, in the visitor's preferred language. */
export function goneHtml(acceptLanguage: string | undefined): string {
  const lang = preferredLanguage(acceptLanguage)
  const [title, text] = gone[lang]
  return htmlPage(lang, title, `<h1>${title}</h1><p>${text}</p>`)
}
