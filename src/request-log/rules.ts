import { reasons } from '../http/problems/problem.ts'
import { problemCodes } from '../http/problems/problem-codes.ts'
import { tokenRefusals } from '../integrations/integrations.ts'

/** A rule by which requests are refused. */
export interface Rule {
  /** The fragment of the `type` of a problem, and of the address of the rule. */
  code: string
  status: number
  /** The rule in a sentence, or several. */
  text: string
}

/** Where the server has the documentation of rules. */
export const RULES_AT = '/docs/errors'

const internal = {
  status: 500,
  title: 'Internal Server Error',
  meaning: 'Something went wrong on our side. The operator of the server can find the request id in its log.',
}

/** The statuses of refusals, with their titles. */
export const titles: ReadonlyMap<number, string> = new Map(
  Object.values({ ...reasons, internal }).map(({ status, title }) => [status, title]),
)

/** Every code that the `type` of a problem can end with, by status; a whole status before its codes. */
export const rules: readonly Rule[] = [
  ...Object.entries({ ...reasons, internal }).map(([code, { status, meaning }]) => ({
    code,
    status,
    text: meaning,
  })),
  ...Object.entries(problemCodes).map(([code, [reason, text]]) => ({
    code,
    status: reasons[reason].status,
    text,
  })),
  ...Object.entries(tokenRefusals).map(([code, refusal]) => ({ code, status: 400, text: textOf(refusal) })),
].toSorted((a, b) => a.status - b.status)

/** The longer sentence, if the hint of the token endpoint is not enough. */
function textOf([error, hint, detail]: readonly [string, string, string?]): string {
  return `The token endpoint answers \`${error}\`: ${detail ?? hint.replace('{}', '…')}${/[.…]$/.test(detail ?? hint) ? '' : '.'}`
}

const codes: ReadonlySet<string> = new Set(rules.map(({ code }) => code))
const ofStatus: ReadonlyMap<number, string> = new Map(
  Object.entries(reasons).map(([code, { status }]) => [status, code]),
)

/** The address of the rule of a refusal on this server: that of its code, or that of its status. */
export const rulePath = (status: number | null, code: string | null): string => {
  const known = code !== null && codes.has(code) ? code : ofStatus.get(status ?? 0)
  return known === undefined ? RULES_AT : `${RULES_AT}#${known}`
}

const groups = (): [status: number, rules: Rule[]][] => [...Map.groupBy(rules, ({ status }) => status)]

/** The rules as a page of the documentation. */
export function rulesAsMarkdown(): string {
  const parts = groups().map(([status, those]) =>
    [`## ${status} ${titles.get(status)}`, ...those.map(({ code, text }) => `### ${code}\n\n${text}`)].join(
      '\n\n',
    ),
  )
  return `${HEAD}\n${parts.join('\n\n')}\n`
}

const HEAD = `# Rules of refusals

<!-- Written by \`RULES=write npx vitest run --project sqlite src/request-log/rules.test.ts\`. -->

The \`type\` of a problem ends with one of these codes. The server has this page at \`${RULES_AT}\`, so the address in \`type\` leads to
the rule. [Errors](wire/problems.md) describes the bodies of refusals, and [the request log](request-log.md) shows the refusals of an account.
`

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const html = (text: string): string =>
  text.replaceAll(/[&<>"]/g, (one) => escapes[one] ?? one).replaceAll(/`([^`]*)`/g, '<code>$1</code>')

/** The same page as HTML. */
export function rulesAsHtml(style: string): string {
  const parts = groups().map(([status, those]) => {
    const each = those.map(({ code, text }) => `<dt id="${code}">${code}</dt><dd>${html(text)}</dd>`)
    return `<h2>${status} ${titles.get(status)}</h2><dl>${each.join('')}</dl>`
  })
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><link rel="icon" href="/favicon.svg"><title>Rules of refusals</title><style>${style}</style><main><h1>Rules of refusals</h1>${parts.join('')}</main></html>`
}
