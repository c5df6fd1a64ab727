import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8')) as {
  version: string
}

/** The answer for programs at the root of an origin. Browsers get the application. */
export const directory = (origin: string) => ({
  name: 'Patchbay',
  version,
  detail:
    'Open this address in a browser for the application. Programs use the API below /api/v4, with an access token.',
  _links: {
    account: { href: `${origin}/api/v4/account` },
    description: { href: `${origin}/api/openapi.json` },
    reference: { href: `${origin}/api/reference` },
    errors: { href: `${origin}/docs/errors` },
  },
})
