import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { selectAccount } from '../accounts/accounts.ts'
import type { Context } from '../context.ts'
import type { AccountRow, SiteFormRow } from '../db/tables.ts'
import type { Written } from '../entities/entities.ts'
import { type Reason, Refusal } from '../errors.ts'
import { networkOf } from '../http/limits/rate-limit.ts'
import { isKnown, setETag } from '../http/preconditions.ts'
import { logCause, problemHandler, reasons, refusalOf } from '../http/problems/problem.ts'
import {
  FRAMED_PAGE_HEADERS,
  framedPageHeaders,
  goneHtml,
  languageOf,
  PAGE_HEADERS,
} from '../marketing/marketing.ts'
import { buttonScript, FRAME_SCRIPT } from './button-script.ts'
import { failureHtml } from './form-failures.ts'
import { type ShownField, shownFields } from './form-fields.ts'
import { type Fault, type Filled, formHtml, formThanksHtml, PAGE, TRAP } from './form-page.ts'
import { selectByToken } from './form-queries.ts'
import { submitForm } from './submit.ts'
import { ancestorsOf, isTrusted, websitesOf } from './trusted-websites.ts'

/** Several of the longest messages in Cyrillic letters, of which a form has six bytes for each. */
const FORM_BYTES = 256 * 1024
const LONGEST = { textarea: 10_000, other: 255 }
const LONGEST_PAGE = 2_048

const EMPTY: Filled = { values: new Map(), faults: new Map(), alert: null, page: '' }

/** `/forms/{token}`: the form of a company, which other sites can embed, and the scripts of buttons that do it. */
export function formPageRoutes(ctx: Context, written: Written): FastifyPluginAsync {
  return async (app) => {
    app.setErrorHandler(formErrorHandler)
    app.removeAllContentTypeParsers()
    app.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: FORM_BYTES },
      async (_request: FastifyRequest, text: string) => new URLSearchParams(text),
    )
    const formIn = async (request: FastifyRequest, { token } = request.params as { token: string }) => {
      const found = await findForm(ctx, token, request.tenant.subdomain)
      const network = networkOf(request.ip)
      await ctx.limits.take('visitor', found ? `${network} ${token}` : network)
      if (found) request.account_id = found.account.id
      return found
    }

    app.get('/forms/:token', async (request, reply) => {
      const found = await formIn(request)
      if (!found) return sendGone(request, reply)
      const page = String(request.headers.referer ?? '').slice(0, LONGEST_PAGE)
      return send(
        reply,
        found.form,
        200,
        formHtml(found.account, found.form, found.fields, { ...EMPTY, page }),
      )
    })
    app.post('/forms/:token', async (request, reply) => {
      const found = await formIn(request)
      if (!found) return sendGone(request, reply)
      const { form, account, fields } = found
      refuseStrangers(request, form)
      const sent = (request.body as URLSearchParams | undefined) ?? new URLSearchParams()
      // A program has filled in what people do not see. It gets no hint.
      if (sent.get(TRAP)) return send(reply, form, 200, formThanksHtml(account, form))
      const filled = read(fields, sent, account)
      if (filled.faults.size > 0) return send(reply, form, 400, formHtml(account, form, fields, filled))
      const url = `${ctx.hosts.accountUrl(account.subdomain)}/forms/${form.token}`
      const { values, page } = filled
      try {
        await ctx.limits.take('site_form', `${networkOf(request.ip)} ${form.token}`)
        const visitor = { ip: request.ip, request_id: request.id }
        await submitForm(ctx, { form, account, fields, values, url, page, ...visitor }, written)
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
        const again = retries[error.reason]
        if (!again) throw error
        if (error.retry_after !== undefined) reply.header('retry-after', error.retry_after)
        const { status, alert } = again
        return send(reply, form, status, formHtml(account, form, fields, { ...filled, alert }))
      }
      return send(reply, form, 200, formThanksHtml(account, form))
    })
    app.get('/website_buttons/:file', async (request, reply) => {
      const [, token] = /^(\w{1,64})\.js$/.exec((request.params as { file: string }).file) ?? []
      const found = token === undefined ? undefined : await formIn(request, { token })
      if (!found || found.form.source_id === null) return sendGone(request, reply)
      const { form, account } = found
      const url = `${ctx.hosts.accountUrl(account.subdomain)}/forms/${form.token}`
      const { body, version } = buttonScript(url, form, account)
      setETag(reply.headers(SCRIPT_HEADERS), version)
      return isKnown(request, version) ? reply.code(304).send() : reply.send(body)
    })
  }
}

/** In a browser, shows the reason on a page, which can be framed like the form. Programs get the problem document. */
function formErrorHandler(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const refusal = refusalOf(error, request)
  const { accept, 'accept-language': languages } = request.headers
  const page = refusal && accept?.includes('text/html') ? failureHtml(refusal.reason, languages) : undefined
  if (!refusal || page === undefined) {
    problemHandler(error, request, reply)
    return
  }
  logCause(request, refusal)
  if (refusal.retry_after !== undefined) reply.header('retry-after', refusal.retry_after)
  reply.code(reasons[refusal.reason].status).headers(FRAMED_PAGE_HEADERS).send(page)
}

/** The refusals after which visitors see their form with its values and can send it again. */
const retries: Partial<Record<Reason, { status: number; alert: Filled['alert'] }>> = {
  invalid: { status: 400, alert: 'refused' },
  too_many: { status: 429, alert: 'busy' },
}

/** A changed button is on all pages after a minute. */
const SCRIPT_HEADERS = {
  'content-type': 'text/javascript; charset=utf-8',
  'cache-control': 'public, max-age=60',
  'cross-origin-resource-policy': 'cross-origin',
}

/**
 * Refuses the form of a button from the page of a site that is not trusted. The frame is a page of this server; without
 * Sec-Fetch-Site, it sends the Origin `null`.
 */
function refuseStrangers({ headers, protocol, host }: FastifyRequest, form: SiteFormRow): void {
  if (form.source_id === null) return
  const { origin = 'null', 'sec-fetch-site': site } = headers
  const isOurs =
    site === undefined
      ? ['null', `${protocol}://${host}`].includes(origin)
      : ['same-origin', 'none'].includes(String(site))
  if (isOurs || isTrusted(origin, websitesOf(form))) return
  throw new Refusal('forbidden', 'This website cannot send the form.', { code: 'cross_origin' })
}

interface FoundForm {
  form: SiteFormRow
  account: AccountRow
  fields: ShownField[]
}

/** An enabled form, if the requested host belongs to its account or to no account. */
async function findForm(
  { db }: Context,
  token: string,
  subdomain: string | null,
): Promise<FoundForm | undefined> {
  const form = await selectByToken(db, token)
  if (form?.is_enabled !== 1) return undefined
  const account = await selectAccount(db).where('id', '=', form.account_id).executeTakeFirstOrThrow()
  if ((subdomain ?? account.subdomain) !== account.subdomain) return undefined
  return { form, account, fields: await shownFields(db, form) }
}

/** The values that were sent, each once, and what is wrong with them. */
function read(fields: readonly ShownField[], sent: URLSearchParams, { language }: AccountRow): Filled {
  const values = new Map<string, string>()
  const faults = new Map<string, Fault>()
  for (const field of fields) {
    const text = textOf(sent, field.key)
    const value = field.control === 'number' ? numberOf(text, language) : text
    if (value !== '') values.set(field.key, value)
    if (value === '' && field.is_required) faults.set(field.key, 'missing')
    else if (isTooLong(field, value)) faults.set(field.key, 'long')
    else if (value !== '' && !isValid(field, value)) faults.set(field.key, 'wrong')
  }
  // A cut can divide a character.
  const page = textOf(sent, PAGE).slice(0, LONGEST_PAGE).toWellFormed()
  return { values, faults, alert: null, page }
}

/** A sent text as databases can store it. */
const textOf = (sent: URLSearchParams, name: string): string =>
  (sent.get(name) ?? '').replaceAll('\u0000', '').toWellFormed().trim()

/** A number as its language writes it, as fields accept it: `1 234,5` is `1234.5` where a comma precedes the decimals. */
function numberOf(text: string, language: string): string {
  const bare = text.replace(/\s/g, '')
  return languageOf(language) === 'en' ? bare : bare.replace(',', '.')
}

const isTooLong = ({ control }: ShownField, value: string): boolean =>
  value.length > (control === 'textarea' ? LONGEST.textarea : LONGEST.other)

function isValid({ control, choices }: ShownField, value: string): boolean {
  if (control === 'email') return /^[^\s@]+@[^\s@]+$/.test(value)
  if (control === 'tel') return /\d/.test(value)
  if (control === 'number') return Number.isFinite(Number(value))
  if (control === 'url') return /^https?:\/\//i.test(value) && URL.canParse(value)
  if (control === 'select') return choices.includes(value)
  return true
}

/** Only the websites of a button can frame its form, and there it has the script for the panel. */
function send(reply: FastifyReply, form: SiteFormRow, status: number, html: string): FastifyReply {
  reply.code(status)
  if (form.source_id === null) return reply.headers(FRAMED_PAGE_HEADERS).send(html)
  const page = html.replace('</body>', () => `<script>${FRAME_SCRIPT}</script></body>`)
  return reply.headers(framedPageHeaders(ancestorsOf(websitesOf(form)), FRAME_SCRIPT)).send(page)
}

const sendGone = (request: FastifyRequest, reply: FastifyReply): FastifyReply =>
  reply.code(404).headers(PAGE_HEADERS).send(goneHtml(request.headers['accept-language']))
