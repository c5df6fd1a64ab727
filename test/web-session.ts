/** An answer. A body that is not JSON is a text. */
export interface WebAnswer {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: the bodies of several routes
  body: any
}

/** A Blob is sent as a file, everything else as JSON. */
export type WebSession = (method: string, path: string, body?: unknown) => Promise<WebAnswer>

const SAME_SITE = { 'sec-fetch-site': 'same-origin' }
const JSON_HEADERS = { ...SAME_SITE, 'content-type': 'application/json' }

/** Signs a person in to a running program and returns the headers of a page's requests. */
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

/** Signs a person in to a running program and returns a function that sends requests like a page. */
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
