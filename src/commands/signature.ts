import { readFileSync } from 'node:fs'
import { ConfigError } from '../config.ts'
import type { CheckedRequest, SignatureCheck } from '../signatures/schemas.ts'
import { checkSignature } from '../signatures/signatures.ts'
import { withContext } from './open.ts'
import { print } from './printable.ts'
import { accountOf } from './requests.ts'
import type { Command, Options } from './run.ts'

const STANDARD_INPUT = '-'

export const signatureCheck: Command = {
  name: 'signature check',
  summary: 'Find the mistake in the signature of a request.',
  options: {
    account: { value: 'SUBDOMAIN', description: 'the account, if there are several' },
    request: { value: 'ID', description: 'a request of the request log' },
    channel: { value: 'ID', description: 'the channel; without it, the address names it, or all are tried' },
    webhook: { value: 'ID', description: 'the webhook that sent the request' },
    method: { value: 'METHOD', description: 'POST, if it is absent' },
    url: { value: 'PATH', description: 'the path with its query, or the whole address' },
    headers: { value: 'FILE', description: 'the headers, one in a line, as curl -v shows them' },
    signature: { value: 'TEXT', description: 'X-Signature, instead of a line of the headers' },
    body: { value: 'FILE', description: 'the exact bytes of the body; - is the standard input' },
    sample: { value: 'LANGUAGE', description: 'also print how to sign: typescript, php, python, go or ruby' },
  },
  run: (options) =>
    withContext(async (ctx) => {
      const account_id = await accountOf(ctx, options.account)
      const check = await checkSignature(ctx, account_id, questionOf(options))
      print(report(check, options.sample))
      // Scripts see it by the exit code.
      if (!check.holds) throw new ConfigError('The signature is wrong.')
    }),
}

function questionOf({ request, channel, webhook, method, url, headers, signature, body }: Options) {
  const lines = headers === undefined ? {} : headersIn(readFileSync(headers, 'utf8'))
  const given = { ...lines, ...(signature !== undefined && { 'x-signature': signature }) }
  const checked: CheckedRequest = {
    ...(request !== undefined && { request: numberOf('request', request) }),
    ...(channel !== undefined && { channel_id: channel }),
    ...(webhook !== undefined && { webhook_id: numberOf('webhook', webhook) }),
    ...(method !== undefined && { method }),
    ...(url !== undefined && { url }),
    ...(Object.keys(given).length > 0 && { headers: given }),
    ...(body !== undefined && {
      body_base64: readFileSync(body === STANDARD_INPUT ? 0 : body).toString('base64'),
    }),
  }
  return checked
}

function numberOf(name: string, text: string): number {
  if (!/^[1-9]\d{0,15}$/.test(text)) throw new ConfigError(`--${name} is not an id: ${text}`)
  return Number(text)
}

/** Lines with a name and a value; others, such as the line of the request, are skipped. */
function headersIn(text: string): Record<string, string> {
  const pairs = text.split(/\r?\n/).flatMap((line) => {
    const [, name, value] = /^(?:> )?([\w-]+): ?(.*)$/.exec(line) ?? []
    return name === undefined ? [] : [[name.toLowerCase(), value ?? '']]
  })
  return Object.fromEntries(pairs)
}

/** A finding for a terminal. */
function report(check: SignatureCheck, sample: string | undefined): string {
  const { holds, sentence, recipe, mistakes, owner, expected, difference, samples } = check
  if (sample !== undefined && !Object.hasOwn(samples, sample))
    throw new ConfigError(`--sample is none of ${Object.keys(samples).join(', ')}: ${sample}`)
  const lines = [
    `${holds ? 'right' : 'wrong'}  ${recipe}${owner ? `  ${owner.kind} ${owner.name}` : ''}`,
    ...(mistakes.length > 0 ? mistakes.map(({ id, sentence: said }) => `${id}: ${said}`) : [sentence]),
  ]
  if (expected && !holds) lines.push('', 'The text to sign:', expected.text + (expected.is_cut ? ' …' : ''))
  if (difference)
    lines.push(
      '',
      `The signed text differs from byte ${difference.at} on:`,
      `  to sign: ${JSON.stringify(difference.expected)}`,
      `  signed:  ${JSON.stringify(difference.signed)}`,
    )
  if (sample !== undefined) lines.push('', samples[sample as keyof typeof samples])
  return `${lines.join('\n')}\n`
}
