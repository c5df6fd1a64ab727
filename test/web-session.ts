/** What came back; a body that is no JSON is text. */
export interface WebAnswer {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: the bodies of several routes
  body: any
}

/** A Blob is sent as the file that it is, anything else as JSON. */
export type WebSession = (method: string, path: string, body?: unknown) => Promise<WebAnswer>

const SAME_SITE = { 'sec-fetch-site': 'same-origin' }
const JSON_HEADERS = { ...SAME_SITE, 'content-type': 'application/json' }

/** Signs somebody in to a program that runs, and answers the headers of what a page of the application sends then. */
export async function signIn(
  base: string,
  person: { email: string; password: string },
): Promise<Record<string, string>> {
  const signedIn = await fetch(`${base}/web/session`, {
    method: 'POST',
    headers: JSON_HEADERS,
    body: JSON.stringify({ email: person.email, password: person.password }),
  })
  const cookie = signedIn.headers
    .getSetCookie()
    .map((text) => text.split(';')[0])
    .join('; ')
  const { csrf_token } = (await signedIn.json()) as { csrf_token: string }
  return { ...SAME_SITE, cookie, 'x-csrf-token': csrf_token }
}

/** Signs somebody in to a program that runs, and answers what sends as a page of the application would. */
export async function openWebSession(
  base: string,
  person: { email: string; password: string },
): Promise<WebSession> {
  const known = await signIn(base, person)
  return async (method, path, body) => {
    const isFile = body instanceof Blob
    const answer = await fetch(new URL(path, base), {
      method,
      headers: { ...known, ...(body !== undefined && !isFile && JSON_HEADERS) },
      ...(body !== undefined && { body: isFile ? body : JSON.stringify(body) }),
    })
    const text = await answer.text()
    return { status: answer.status, body: text.startsWith('{') ? JSON.parse(text) : text }
  }
}
