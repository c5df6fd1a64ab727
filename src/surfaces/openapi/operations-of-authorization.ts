import type { OperationsMetadata } from './metadata.ts'
import type { JsonSchema } from './served-routes.ts'

const text: JsonSchema = { type: 'string', maxLength: 4096 }

/** What the token endpoint reads (A3); it reads it itself, because its refusals are those of OAuth. */
const tokenRequest = (required: string[]): JsonSchema => ({
  type: 'object',
  required,
  properties: {
    client_id: text,
    client_secret: text,
    grant_type: { type: 'string', enum: ['authorization_code', 'refresh_token'] },
    redirect_uri: { ...text, description: 'The registered one, byte for byte.' },
    code: { ...text, description: 'With the grant type authorization_code.' },
    refresh_token: { ...text, description: 'With the grant type refresh_token.' },
    code_verifier: { ...text, description: 'Where consent was asked for with a code_challenge (PKCE).' },
  },
})

/** Addresses are whole: these are on surfaces of their own. */
export const toldOfAuthorization: OperationsMetadata = {
  'POST /oauth2/access_token': {
    summary: 'Exchanges a code, or a refresh token, for a pair of tokens.',
    description:
      'The keys of the integration are in the body, or in HTTP Basic where the body is a form. If an answer is lost, ' +
      'the same request with the same refresh token is answered with the same new pair until that is used.',
    body: {
      'application/json': tokenRequest(['client_id', 'client_secret', 'grant_type', 'redirect_uri']),
      'application/x-www-form-urlencoded': tokenRequest(['grant_type']),
    },
    security: [{}, { client: [] }],
  },
  'GET /oauth2/account/current/subdomain': {
    summary: 'Says where the account of a refresh token lives, and uses nothing.',
    security: [{ refreshToken: [] }],
  },
  'GET /oauth2/account/subdomain': {
    summary: 'Says where the account of an access token lives.',
    security: [{ bearer: [] }],
  },
  'POST /private/api/v2/json/fields/set': {
    summary: 'Adds and deletes fields of a service, all of them or none.',
    description:
      'A form with nested names (`request[fields][add][0][name]`) is taken as well as JSON. Clients without an ' +
      '`Authorization` header name a person and their long-lived token in `USER_LOGIN` and `USER_HASH` of the address.',
  },
}
