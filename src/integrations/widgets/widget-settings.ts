import type { MemberOfAccount } from '../../accounts/accounts.ts'
import { type AddFault, collectFaults, notAChoice } from '../../errors.ts'
import type { SettingType } from './setting-types.ts'
import type { Setting, Settings } from './widget-schemas.ts'

/** The longest text in a setting. */
const LONGEST = 4_096

type Members = ReadonlyMap<number, MemberOfAccount>
type Check = (value: unknown, path: string, members: Members, addFault: AddFault) => void

/**
 * The settings after a change: written members with a key of the template replace stored ones, and other members are
 * ignored, because clients send the whole widget back. Throws Refusal('invalid') for wrong and missing values.
 */
export function readSettings(
  template: readonly Setting[],
  stored: Settings,
  written: Settings,
  members: Members,
): Settings {
  const { about, refuse } = collectFaults()
  const addFault = about('0')
  const settings = template.flatMap(({ key, type, is_required }): [string, unknown][] => {
    const from = Object.hasOwn(written, key) ? written : stored
    // A key can be the name of a member that every object inherits.
    const value = Object.hasOwn(from, key) ? from[key] : undefined
    if (isBlank(type, value)) {
      if (is_required) addFault('FieldMissing', key, 'This field is missing.')
      return []
    }
    if (Object.hasOwn(written, key)) checks[type](value, key, members, addFault)
    return [[key, value]]
  })
  refuse()
  return Object.fromEntries(settings)
}

/** Nobody has a value in an empty object, which PHP writes as an array. */
const isBlank = (type: SettingType, value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === '' ||
  (perUser.has(type) && typeof value === 'object' && Object.keys(value).length === 0)

const perUser: ReadonlySet<SettingType> = new Set(['users', 'users_lp'])

/**
 * The settings that others than the integration may see: no passwords, except those that they have just written
 * themselves.
 */
export function withoutPasswords(
  template: readonly Setting[],
  settings: Settings,
  written: Settings = {},
): Settings {
  const shown = template.filter(
    ({ key, type }) => !['pass', 'users_lp'].includes(type) || Object.hasOwn(written, key),
  )
  return Object.fromEntries(
    shown.flatMap(({ key }) => (Object.hasOwn(settings, key) ? [[key, settings[key]]] : [])),
  )
}

const isText: Check = (value, path, _members, addFault) => {
  if (typeof value !== 'string') addFault('InvalidType', path, 'This value should be of type string.')
  else if (value.length > LONGEST)
    addFault('TooLong', path, `This value is too long. It should have ${LONGEST} characters or less.`)
}

/** An object by the ids of users. */
const byUser =
  (check: Check): Check =>
  (value, path, members, addFault) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      return addFault('InvalidType', path, 'This value should be of type object.')
    for (const [id, one] of Object.entries(value)) {
      if (members.has(Number(id))) check(one, `${path}.${id}`, members, addFault)
      else addFault('NotSupportedChoice', `${path}.${id}`, notAChoice([...members.keys()]))
    }
  }

const isLogin: Check = (value, path, members, addFault) => {
  const { login, password } = (value ?? {}) as { login?: unknown; password?: unknown }
  isText(login, `${path}.login`, members, addFault)
  isText(password, `${path}.password`, members, addFault)
}

const checks: Record<SettingType, Check> = {
  text: isText,
  pass: isText,
  custom: isText,
  users: byUser(isText),
  users_lp: byUser(isLogin),
}
