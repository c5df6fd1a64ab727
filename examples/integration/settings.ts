import { readFileSync } from 'node:fs'

/** What an integration has to know; from the environment, or for a first try from what `patchbay dev` wrote down. */
export interface Settings {
  port: number
  /** Where the server is. In production the account's own address comes with `referer`. */
  patchbay_url: string
  client_id: string
  client_secret: string
  redirect_uri: string
  /** The file that keeps the tokens. */
  token_file: string
}

export function readSettings(env: NodeJS.ProcessEnv): Settings {
  const demo = JSON.parse(readFileSync(env.DEMO_FILE ?? 'data/demo.json', 'utf8'))
  const redirect_uri = env.REDIRECT_URI ?? demo.integration.redirect_uri
  return {
    port: Number(new URL(redirect_uri).port || 80),
    patchbay_url: env.PATCHBAY_URL ?? demo.base_url,
    client_id: env.CLIENT_ID ?? demo.integration.client_id,
    client_secret: env.CLIENT_SECRET ?? demo.integration.client_secret,
    redirect_uri,
    token_file: env.TOKEN_FILE ?? 'integration-tokens.json',
  }
}
