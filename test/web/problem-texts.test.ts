import { expect, test } from 'vitest'
import { problemCodes } from '../../src/http/problems/problem-codes.ts'
import english from '../../web/i18n/en/app.json' with { type: 'json' }
import { problemKey } from '../../web/parts/layout/problem-key.ts'

const hasText = (code: string) => code in english.problems

/** Refusals that no page causes, or that a page explains itself. */
const untold = [
  'token_missing',
  'token_unknown',
  'token_expired',
  'token_revoked',
  'token_of_other_account',
  'context_user',
  'test_helpers_key',
  'trigger_refused',
  'trigger_without_effect',
  'insufficient_scope',
  'password_needed',
  'password_link',
  'origin_invalid_signature',
  'origin_not_registered',
  'account_not_connected',
  'no_call_matched',
  'upload_part_order',
  'upload_part_differs',
  'no_parameters',
  'unknown_field',
  'foreign_origin',
  'idempotency_key_invalid',
  'idempotency_key_reused',
  'setup_link',
  'unknown_integration',
  'redirect_uri_mismatch',
  'redirect_uri_unavailable',
  'redirect_uri_not_https',
  'code_challenge_not_supported',
  'not_administrator',
  'stale_form',
  'not_repeatable',
]

test('each refusal that a page can cause has a text in the language of the reader', () => {
  expect(Object.keys(problemCodes).filter((code) => !hasText(code))).toEqual(untold)
})

test('a refusal without a text of its own has that of its status', () => {
  expect(problemKey(409, 'field_limit', hasText)).toBe('field_limit')
  expect(problemKey(409, 'unheard_of', hasText)).toBe('conflict')
  expect(problemKey(507, '', hasText)).toBe('disk_full')
  expect(problemKey(422, 'unheard_of', hasText)).toBe('invalid')
  expect(problemKey(502, '', hasText)).toBe('internal')
})
