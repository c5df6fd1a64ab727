import {
  type Actor,
  addMember,
  findAccountBySubdomain,
  findActor,
  findUserByEmail,
} from '../accounts/accounts.ts'
import { ConfigError } from '../config.ts'
import type { Context } from '../context.ts'
import { randomAlphanumeric } from '../secrets.ts'
import { withContext } from './open.ts'
import type { Command } from './run.ts'

export const userCreate: Command = {
  name: 'user create',
  summary: 'Add a person to an account. The password is read from standard input, or made and printed.',
  options: {
    account: { value: 'SUBDOMAIN', description: 'the account', required: true },
    email: { value: 'ADDRESS', description: 'to sign in with', required: true },
    name: { value: 'NAME', description: 'what people call him or her', required: true },
    admin: { description: 'an administrator of the account' },
    'password-stdin': { description: 'read the password from standard input' },
  },
  async run({ account = '', email = '', name = '', admin, 'password-stdin': fromStdin }) {
    const given = fromStdin ? await readLine() : null
    const password = given ?? randomAlphanumeric(20)
    await withContext(async (ctx) => {
      const { id } = await accountNamed(ctx, account)
      const isKnown = (await findUserByEmail(ctx.db, email.toLowerCase())) !== undefined
      const user_id = await addMember(ctx, id, { name, email, password, is_admin: admin !== undefined })
      process.stdout.write(`User ${user_id}: ${email}\n`)
      // Somebody who was here before keeps his own.
      if (isKnown) process.stdout.write('This person is known already and keeps the password.\n')
      else if (given === null) process.stdout.write(`Password: ${password}\n`)
    })
  },
}

/** The account of a subdomain; a name that is none is the person's mistake. */
export async function accountNamed(ctx: Context, subdomain: string) {
  const account = await findAccountBySubdomain(ctx.db, subdomain)
  if (!account) throw new ConfigError(`There is no account "${subdomain}".`)
  return account
}

/** Who is meant by an address, as somebody of the account who acts. */
export async function memberNamed(
  ctx: Context,
  { id: account_id, subdomain }: { id: number; subdomain: string },
  email: string,
): Promise<Actor> {
  const person = await findUserByEmail(ctx.db, email.toLowerCase())
  const asking = { integration: null, request_id: 'command line', address: '' }
  const actor = person && (await findActor(ctx, { account_id, user_id: person.id }, asking))
  if (!actor) throw new ConfigError(`${email} is no active member of "${subdomain}".`)
  return actor
}

async function readLine(): Promise<string> {
  let text = ''
  for await (const chunk of process.stdin) text += chunk
  return text.split('\n')[0]?.trim() ?? ''
}
