import type { Reason } from '../errors.ts'

/** The narrower names of refusals, on which clients act: the reason they belong to, and what their reader is told. */
export const problemCodes: Record<string, [reason: Reason, meaning: string]> = {
  password_needed: [
    'forbidden',
    'The password has to be entered again: it was last entered more than 15 minutes ago.',
  ],
  csrf_token: ['forbidden', 'X-CSRF-Token is missing or is not that of the session.'],
  cross_origin: ['forbidden', 'The request did not come from a page of this address.'],
  not_a_member: ['forbidden', 'The person is no active member of the account that the address names.'],
  shared_person: [
    'forbidden',
    'The person belongs to other accounts too, and changes name, language and phone himself.',
  ],
  other_address: ['conflict', 'This is the address of one account; another account is opened at its own.'],
  last_administrator: ['conflict', 'An account keeps one active administrator at least.'],
  own_access: ['conflict', 'Nobody takes away his own access.'],
  user_limit: ['conflict', 'The account has as many people as it can have.'],
  default_group: ['conflict', 'The default group cannot be deleted.'],
  role_in_use: ['conflict', 'Somebody has this role.'],
  group_in_use: ['conflict', 'Somebody is in this group.'],
  setup_link: ['forbidden', 'The link for the first account was used, or a newer one was printed.'],
  unknown_integration: ['not_found', 'There is no integration of this client_id.'],
  redirect_uri_mismatch: ['invalid', 'The redirect URI is not the registered one, byte for byte.'],
  redirect_uri_unavailable: [
    'unavailable',
    'The redirect URI of the integration did not answer three times in a row.',
  ],
  redirect_uri_not_https: [
    'forbidden',
    'Other accounts can allow an integration only when its redirect URI is https.',
  ],
  code_challenge_not_supported: ['invalid', 'A code challenge must be of the method S256.'],
  not_administrator: ['forbidden', 'Only an administrator of the account can allow this integration in it.'],
  stale_form: [
    'forbidden',
    'The consent form was used before, is older than ten minutes, or is of another session.',
  ],
}
