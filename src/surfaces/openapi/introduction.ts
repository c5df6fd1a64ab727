import type { Config } from '../../config.ts'

/** The text at the beginning of the API description, in Markdown. */
export const introduction = ({ public_url, auth_url }: Pick<Config, 'public_url' | 'auth_url'>): string => `\
The integration API of amoCRM / Kommo, served by Patchbay.

## First call

An administrator who is signed in can call every operation from the reference: open one and select **Test Request**. The page
takes care of the token.

From a program, send an access token. It selects the account:

\`\`\`sh
curl ${public_url}/api/v4/account -H 'Authorization: Bearer …'
\`\`\`

## Authorization

1. Create an integration in the application: **Integrations → New integration**. Its page shows the keys and a first
   authorization code.
2. Send people to \`${auth_url}/oauth?client_id=…&state=…\`. They come back to the redirect URI of the integration with a code.
3. Exchange the code at \`POST /oauth2/access_token\`, within 20 minutes. The access token is valid for a day, the refresh token for
   three months.

If the response of a refresh is lost, repeat it with the same refresh token: the same new pair is returned until it is used. A
token has the current permissions of the person who gave consent. Calls of the chat API have a signature instead of a token.

## Requests

- Bodies are JSON and are read strictly: \`"5"\` is not \`5\`. Unknown properties are ignored. In development, the response header
  \`X-Ignored\` names them.
- A batch has at most 250 items, and is done completely or not at all.
- Follow \`_links.next\` to read a list. An empty list is 204 without a body; an empty list of events or notes is 200 with an empty
  array.
- Times are Unix seconds.
- To repeat a POST or PATCH safely, send the same \`Idempotency-Key\`.

## Limits

An integration can send 20 requests per second to an account, and 40 at once. A request over a limit is answered with 429 and
\`Retry-After\`.

## Errors

Errors are \`application/problem+json\`. The fragment of \`type\` is the stable name of the reason, and \`validation-errors\` names
the members. Every response has \`X-Request-Id\`, by which the request log of the application finds it.
`
