import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { type AccessToken, AuthorizationCode } from 'simple-oauth2'
import type { Settings } from './settings.ts'

/** Requests, stores and refreshes one account's tokens with a generic OAuth library. */
export class Tokens {
  readonly #settings: Settings
  readonly #oauth: AuthorizationCode
  #renewal: Promise<AccessToken> | null = null

  constructor(settings: Settings) {
    this.#settings = settings
    this.#oauth = new AuthorizationCode({
      client: { id: settings.client_id, secret: settings.client_secret },
      auth: { tokenHost: settings.patchbay_url, tokenPath: '/oauth2/access_token', authorizePath: '/oauth' },
      options: { bodyFormat: 'json', authorizationMethod: 'body' },
    })
  }

  /** The address of the consent page. */
  consentUrl(state: string): string {
    return this.#oauth.authorizeURL({ redirect_uri: this.#settings.redirect_uri, state })
  }

  async exchange(code: string): Promise<void> {
    await this.#keep(await this.#oauth.getToken({ code, redirect_uri: this.#settings.redirect_uri }))
  }

  /** A valid token; null if consent is required. `isForced` refreshes it early. */
  async current(isForced = false): Promise<string | null> {
    const kept = await this.#read()
    if (!kept) return null
    if (!isForced && !kept.expired(60)) return kept.token.access_token as string
    // One refresh at a time. Two would both succeed, but the slower one could overwrite the newer pair.
    this.#renewal ??= this.#renew(kept).finally(() => {
      this.#renewal = null
    })
    return (await this.#renewal).token.access_token as string
  }

  async forget(): Promise<void> {
    await rm(this.#settings.token_file, { force: true })
  }

  async #renew(kept: AccessToken): Promise<AccessToken> {
    const renewed = await kept.refresh({ redirect_uri: this.#settings.redirect_uri } as never)
    await this.#keep(renewed)
    return renewed
  }

  /** Writes the file atomically, because a lost refresh token cannot be restored. */
  async #keep(token: AccessToken): Promise<void> {
    const file = this.#settings.token_file
    await writeFile(`${file}.new`, JSON.stringify(token), { mode: 0o600 })
    await rename(`${file}.new`, file)
  }

  async #read(): Promise<AccessToken | null> {
    try {
      return this.#oauth.createToken(JSON.parse(await readFile(this.#settings.token_file, 'utf8')))
    } catch {
      return null
    }
  }
}
