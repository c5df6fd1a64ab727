import type { Code } from '../../data/installations.ts'
import type { Integration, Keys } from '../../data/integrations.ts'

/** Returns a shell command that exchanges a code for a pair of tokens. */
export function exchangeCommand(
  accountUrl: string,
  keys: Keys,
  code: Code,
  integration: Integration,
): string {
  const body = JSON.stringify(
    {
      client_id: keys.client_id,
      client_secret: keys.client_secret,
      grant_type: 'authorization_code',
      code: code.code,
      redirect_uri: integration.redirect_uri,
    },
    null,
    2,
  )
  return [
    `curl ${quoted(new URL('/oauth2/access_token', accountUrl).href)} \\`,
    `  -H 'Content-Type: application/json' \\`,
    `  -d ${quoted(body)}`,
  ].join('\n')
}

/** Quotes a text as one word of a POSIX shell. */
const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`
