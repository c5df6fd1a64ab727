import { readDemo } from '../demo-file.ts'

/** The settings of an integration, from the environment, or from the file of `patchbay dev`. */
export interface Settings {
  port: number
  /** The server's address. In production, `referer` contains the account's own address. */
  patchbay_url: string
  client_id: string
  client_secret: string
  redirect_uri: string
  /** The file of the tokens. */
  token_file: string
}

export function readSettings(env: NodeJS.ProcessEnv): Settings {
  const demo = readDemo(env)
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
