import * as oauth from 'oauth4webapi'
import { AuthorizationCode } from 'simple-oauth2'
import { describe, expect, test } from 'vitest'
import { accountStatus, freshCode, register } from '../../../test/fixtures/integrations.ts'
import { world } from '../../../test/world.ts'

/** A listening server with a registered integration. */
async function listening() {
  const here = await world({ ownServer: true })
  const shop = await register(here.admin)
  const base = await here.app.http.listen({ port: 0, host: '127.0.0.1' })
  return { ...here, shop, base }
}

describe('Generic OAuth clients work without changes', () => {
  test.each([
    ['a form', 'form', 'body'],
    ['a form and HTTP Basic', 'form', 'header'],
    ['JSON', 'json', 'body'],
  ] as const)('simple-oauth2 with %s: code, refresh', async (_what, bodyFormat, authorizationMethod) => {
    const { admin, stranger, shop, base } = await listening()
    const library = new AuthorizationCode({
      client: { id: shop.client_id, secret: shop.client_secret },
      auth: { tokenHost: base, tokenPath: '/oauth2/access_token', authorizePath: '/oauth' },
      options: { bodyFormat, authorizationMethod },
    })
    const token = await library.getToken({
      code: await freshCode(admin, shop),
      redirect_uri: shop.redirect_uri,
    })
    expect(await accountStatus(stranger, token.token.access_token as string)).toBe(200)
    const extra = bodyFormat === 'json' ? { redirect_uri: shop.redirect_uri } : {}
    const renewed = await token.refresh(extra as never)
    expect(renewed.token.access_token).not.toBe(token.token.access_token)
    expect(await accountStatus(stranger, renewed.token.access_token as string)).toBe(200)
  })

  test.each([
    ['the body', oauth.ClientSecretPost],
    ['HTTP Basic', oauth.ClientSecretBasic],
  ])(
    'oauth4webapi with the keys in %s and PKCE: consent, code, refresh, API call',
    async (_where, authenticate) => {
      const { admin, shop, base } = await listening()
      const server: oauth.AuthorizationServer = {
        issuer: 'http://localhost:8080',
        token_endpoint: `${base}/oauth2/access_token`,
        authorization_response_iss_parameter_supported: true,
      }
      const client: oauth.Client = { client_id: shop.client_id }
      const secret = authenticate(shop.client_secret)
      const insecure = { [oauth.allowInsecureRequests]: true }
      const verifier = oauth.generateRandomCodeVerifier()
      const challenge = await oauth.calculatePKCECodeChallenge(verifier)
      const state = oauth.generateRandomState()
      const query = new URLSearchParams({
        client_id: shop.client_id,
        state,
        response_type: 'code',
        scope: 'crm',
        redirect_uri: shop.redirect_uri,
        code_challenge: challenge,
        code_challenge_method: 'S256',
      })
      const { form_token, accounts } = (await admin.browser.get(`/web/consent?${query}`)).body
      const form = new URLSearchParams({
        form_token,
        account_id: accounts[0].id,
        decision: 'allow',
      }).toString()
      const decided = await admin.browser.post('/oauth', form, {
        'content-type': 'application/x-www-form-urlencoded',
      })
      const parameters = oauth.validateAuthResponse(
        server,
        client,
        new URL(String(decided.headers.location)),
        state,
      )
      const granted = await oauth.authorizationCodeGrantRequest(
        server,
        client,
        secret,
        parameters,
        shop.redirect_uri,
        verifier,
        insecure,
      )
      const tokens = await oauth.processAuthorizationCodeResponse(server, client, granted)
      const asked = await oauth.refreshTokenGrantRequest(
        server,
        client,
        secret,
        tokens.refresh_token as string,
        insecure,
      )
      const renewed = await oauth.processRefreshTokenResponse(server, client, asked)
      const called = await oauth.protectedResourceRequest(
        renewed.access_token,
        'GET',
        new URL(`${base}/api/v4/account`),
        undefined,
        undefined,
        insecure,
      )
      expect(called.status).toBe(200)
    },
  )
})
