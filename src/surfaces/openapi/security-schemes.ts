import type { Config } from '../../config.ts'

/** How callers authenticate. */
export const securitySchemes = ({ public_url, auth_url }: Pick<Config, 'public_url' | 'auth_url'>) => ({
  bearer: {
    type: 'http' as const,
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'An access token. It has the current rights of the person who granted it.',
  },
  oauth2: {
    type: 'oauth2' as const,
    description:
      'Consent of a person in the account. An access token is valid for a day, a refresh token for three months.',
    flows: {
      authorizationCode: {
        authorizationUrl: `${auth_url}/oauth`,
        tokenUrl: `${public_url}/oauth2/access_token`,
        refreshUrl: `${public_url}/oauth2/access_token`,
        scopes: {
          crm: 'Records, fields, events and notes.',
          files: 'Files.',
          files_delete: 'Deleting files.',
        },
      },
    },
  },
  client: {
    type: 'http' as const,
    scheme: 'basic',
    description: 'client_id and client_secret, if the body is a form.',
  },
  signature: {
    type: 'apiKey' as const,
    in: 'header',
    name: 'X-Signature',
    description: 'The signature of the request, made with the secret of the chat channel.',
  },
  testHelpers: {
    type: 'http' as const,
    scheme: 'bearer',
    description: 'The key of the test helpers: `test_helpers.key` in `demo.json`, or `TEST_HELPERS_KEY`.',
  },
  refreshToken: {
    type: 'apiKey' as const,
    in: 'header',
    name: 'X-Refresh-Token',
    description: 'A refresh token.',
  },
})
