import { Type } from 'typebox'
import {
  type Actor,
  addMember,
  emailOf,
  findAccountBySubdomain,
  findActor,
  findUserByEmail,
  listPersonRows,
  listRoleRows,
  type PersonRow,
  setPassword,
} from '../accounts/accounts.ts'
import { NewPassword } from '../accounts/members/schemas.ts'
import { ConfigError } from '../config.ts'
import type { Context } from '../context.ts'
import { randomAlphanumeric } from '../secrets.ts'
import { checked } from './checked.ts'
import { withContext } from './open.ts'
import { inColumns, jsonOption, printResult } from './results.ts'
import type { Command } from './run.ts'

/** More people than an account has. */
const EVERYBODY = { limit: 1_000_000, offset: 0 }

const userList: Command = {
  name: 'user list',
  summary: 'List the people of an account, with their e-mails for sign-in.',
  options: { account: { value: 'SUBDOMAIN', description: 'the account', required: true }, ...jsonOption },
  run: ({ account = '', ...options }) =>
    withContext(async (ctx) => {
      const { id } = await accountNamed(ctx, account)
      const people = (await listPersonRows(ctx.db, id, EVERYBODY)).map(shownPerson)
      const rows = people.map((one) => [String(one.id), one.email, one.name, positionOf(one)])
      printResult(options, people, inColumns(rows))
    }),
}

const shownPerson = ({ id, email, name, role_name, is_admin, is_active }: PersonRow) => ({
  id,
  email,
  name,
  role: role_name,
  is_admin: is_admin === 1,
  is_active: is_active === 1,
})

const positionOf = ({ role, is_admin, is_active }: ReturnType<typeof shownPerson>): string =>
  `${is_admin ? 'administrator' : (role ?? 'no role')}${is_active ? '' : ', not active'}`

const userCreate: Command = {
  name: 'user create',
  summary: 'Add a person to an account. Generates and prints a password, or reads it with --password-stdin.',
  options: {
    account: { value: 'SUBDOMAIN', description: 'the account', required: true },
    email: { value: 'ADDRESS', description: 'e-mail for sign-in', required: true },
    name: { value: 'NAME', description: 'displayed name', required: true },
    admin: { description: 'make the person an administrator of the account' },
    role: { value: 'NAME', description: 'role in the account; without one, the person has no rights yet' },
    'password-stdin': { description: 'read the password from standard input' },
    ...jsonOption,
  },
  async run({ account = '', email = '', name = '', admin, role, 'password-stdin': fromStdin, ...options }) {
    const given = fromStdin ? await readLine() : null
    const password = given ?? randomAlphanumeric(20)
    await withContext(async (ctx) => {
      const { id } = await accountNamed(ctx, account)
      const isKnown = (await findUserByEmail(ctx.db, emailOf({ email }))) !== undefined
      const role_id = role === undefined ? null : await roleNamed(ctx, id, role)
      const is_admin = admin !== undefined
      const user_id = await addMember(ctx, id, { name, email, password, is_admin, role_id })
      const made = isKnown || given !== null ? null : password
      printResult(options, { id: user_id, email, password: made }, [
        `User ${user_id}: ${email}`,
        ...(isKnown ? ['This person already exists and keeps their password.'] : []),
        ...(made === null ? [] : [`Password: ${made}`]),
      ])
    })
  },
}

const userPassword: Command = {
  name: 'user password',
  summary:
    'Set a new password for a person who forgot theirs, and end their sessions. Generates and prints it, or reads it with --password-stdin.',
  options: {
    email: { value: 'ADDRESS', description: 'e-mail for sign-in', required: true },
    'password-stdin': { description: 'read the password from standard input' },
    ...jsonOption,
  },
  async run({ email = '', 'password-stdin': fromStdin, ...options }) {
    const given = fromStdin ? await readLine() : null
    const password = given ?? randomAlphanumeric(20)
    await withContext(async (ctx) => {
      const user = await findUserByEmail(ctx.db, emailOf({ email }))
      if (!user) throw new ConfigError(`There is no user with the e-mail ${email}.`)
      await setPassword(ctx, user.id, checked(Type.Pick(NewPassword, ['password']), { password }).password)
      const made = given === null ? password : null
      printResult(options, { id: user.id, email: user.email, password: made }, [
        `User ${user.id}: ${user.email}`,
        ...(made === null ? [] : [`Password: ${made}`]),
      ])
    })
  },
}

async function roleNamed(ctx: Context, account_id: number, name: string): Promise<number> {
  const roles = await listRoleRows(ctx.db, account_id)
  const role = roles.find((one) => one.name.toLowerCase() === name.toLowerCase())
  if (role) return role.id
  const names = roles.map((one) => `"${one.name}"`).join(', ') || 'none'
  throw new ConfigError(`There is no role "${name}". Roles of this account: ${names}.`)
}

/** Finds an account by subdomain. Throws ConfigError if there is none. */
export async function accountNamed(ctx: Context, subdomain: string) {
  const account = await findAccountBySubdomain(ctx.db, subdomain)
  if (!account) throw new ConfigError(`There is no account "${subdomain}".`)
  return account
}

/** Finds a member of the account by e-mail, as an actor. */
export async function memberNamed(
  ctx: Context,
  { id: account_id, subdomain }: { id: number; subdomain: string },
  email: string,
): Promise<Actor> {
  const person = await findUserByEmail(ctx.db, emailOf({ email }))
  const request = { integration: null, request_id: 'command line', address: '' }
  const actor = person && (await findActor(ctx, { account_id, user_id: person.id }, request))
  if (!actor) throw new ConfigError(`${email} is not an active member of "${subdomain}".`)
  return actor
}

async function readLine(): Promise<string> {
  let text = ''
  for await (const chunk of process.stdin) text += chunk
  return text.split('\n')[0]?.trim() ?? ''
}

export const userCommands: Command[] = [userList, userCreate, userPassword]
