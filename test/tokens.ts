import type { Explanation, FamilyHistory, TokenFamily } from '../src/integrations/token-tools/schemas.ts'
import type { Answer } from './client.ts'
import { helper } from './request-log.ts'
import type { World } from './world.ts'

export const TOKENS = '/test_helpers/tokens'

/** The families of tokens of the account, the newest first. */
export async function families(here: World): Promise<TokenFamily[]> {
  const { status, body, text } = await helper(here).get(TOKENS)
  if (status !== 200) throw new Error(text)
  return body.families
}

/** The newest family with its pairs. */
export async function newestFamily(here: World): Promise<FamilyHistory> {
  const [family] = await families(here)
  return (await helper(here).get(`${TOKENS}/${family?.id}`)).body
}

/** The explanation of the state of a token. */
export async function explain(here: World, token: string): Promise<Explanation> {
  const { status, body, text } = await helper(here).post(`${TOKENS}/explain`, { token })
  if (status !== 200) throw new Error(text)
  return body
}

/** The reason of the end of a token; null if it is valid. */
export const reasonOf = async (here: World, token: string): Promise<string | null> =>
  (await explain(here, token)).end?.reason ?? null

/** Does something to the tokens of the newest family, as a test would. */
export async function alter(here: World, action: string, body: object = {}): Promise<Answer> {
  const [family] = await families(here)
  return helper(here).post(`${TOKENS}/${family?.id}/${action}`, body)
}

export const requestOf = (answer: Answer): string => String(answer.headers['x-request-id'])
