import { isEmail } from '@mantine/form'
import { useTranslation } from 'react-i18next'
import { denied } from '../../src/accounts/members/right-types.ts'
import type { Rights, User } from '../data/accounts.ts'
import { isLanguage } from '../i18n/i18n.ts'
import { useForm } from '../parts/forms/use-form.ts'
import { passwordRule } from './password-rule.ts'
import { rightsOf } from './rights.ts'

/** Selects need text values, so ids are texts here. `own` means no role. */
export interface PersonDraft extends Record<string, unknown> {
  name: string
  email: string
  password: string
  lang: string
  phone_number: string
  is_admin: boolean
  role_id: string
  group_id: string
  rights: Rights
}

export const ownRights = 'own'

export const emptyPerson: PersonDraft = {
  name: '',
  email: '',
  password: '',
  lang: 'en',
  phone_number: '',
  is_admin: false,
  role_id: ownRights,
  group_id: '0',
  rights: denied,
}

export const draftOf = (user: User): PersonDraft => ({
  name: user.name,
  email: user.email,
  password: '',
  lang: user.lang,
  phone_number: user.phone_number ?? '',
  is_admin: user.rights.is_admin,
  role_id: user.rights.role_id === null ? ownRights : String(user.rights.role_id),
  group_id: String(user.rights.group_id ?? 0),
  rights: rightsOf(user.rights),
})

/**
 * The request body of a new or changed person. Permissions are only sent for people without a role who are not
 * administrators.
 */
export const bodyOf = ({ name, lang, phone_number, is_admin, role_id, group_id, rights }: PersonDraft) => ({
  name,
  lang: isLanguage(lang) ? lang : undefined,
  phone_number: phone_number.trim() || null,
  is_admin,
  role_id: is_admin || role_id === ownRights ? null : Number(role_id),
  group_id: Number(group_id),
  rights: is_admin || role_id !== ownRights ? undefined : rights,
})

export function usePersonForm(initialValues: PersonDraft, isNew: boolean) {
  const { t } = useTranslation()
  return useForm<PersonDraft>({
    initialValues,
    validate: {
      name: (value) => (value.trim() ? null : t('faults.NotBlank')),
      email: isNew ? isEmail(t('faults.email')) : () => null,
      password: isNew ? passwordRule(t) : () => null,
    },
  })
}

export type PersonForm = ReturnType<typeof usePersonForm>
