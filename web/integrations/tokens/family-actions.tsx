import { Button, Menu } from '@mantine/core'
import { IconChevronDown, IconFlask } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import {
  agePair,
  expireToken,
  loseAnswer,
  raceRefreshes,
  revokeFamily,
  type TokenFamilyHistory,
} from '../../data/tokens.ts'
import { Confirm } from '../../parts/dialogs/confirm.tsx'
import { useAction } from '../../parts/forms/use-action.ts'

/** Revokes the tokens, and does to them what a test needs, if the server has the test helpers. */
export function FamilyActions({ family }: { family: TokenFamilyHistory }) {
  const { t } = useTranslation()
  const [asking, setAsking] = useState(false)
  const revoke = useAction(revokeFamily, t('access.revoked'))
  if (family.end) return null
  return (
    <>
      {family.can_alter && <TestMenu family={family} />}
      <Button variant="default" onClick={() => setAsking(true)}>
        {t('access.revoke')}
      </Button>
      <Confirm
        opened={asking}
        title={t('access.revoke_title')}
        action={t('access.revoke')}
        pending={revoke.pending}
        onConfirm={() => revoke.run(family.id, () => setAsking(false))}
        onClose={() => setAsking(false)}
      >
        <p>{t('access.revoke_text')}</p>
      </Confirm>
    </>
  )
}

function TestMenu({ family: { id, long_lived } }: { family: TokenFamilyHistory }) {
  const { t } = useTranslation()
  const expire = useAction(expireToken, t('tokens.done.expired'))
  const age = useAction(agePair, t('tokens.done.aged'))
  const lose = useAction(loseAnswer, t('tokens.done.lost_answer'))
  const race = useAction(raceRefreshes, t('tokens.done.race'))
  return (
    <Menu position="bottom-end" width={300}>
      <Menu.Target>
        <Button
          variant="default"
          leftSection={<IconFlask size={15} aria-hidden />}
          rightSection={<IconChevronDown size={14} aria-hidden />}
        >
          {t('tokens.test.open')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{t('tokens.test.newest')}</Menu.Label>
        <Menu.Item onClick={() => expire.run({ id, token: 'access_token' })}>
          {t('tokens.test.expire_access')}
        </Menu.Item>
        {long_lived === null && (
          <Menu.Item onClick={() => expire.run({ id, token: 'refresh_token' })}>
            {t('tokens.test.expire_refresh')}
          </Menu.Item>
        )}
        <Menu.Item onClick={() => age.run({ id, by: 'day' })}>{t('tokens.test.day')}</Menu.Item>
        <Menu.Item onClick={() => age.run({ id, by: 'three_months' })}>
          {t('tokens.test.three_months')}
        </Menu.Item>
        {long_lived === null && (
          <>
            <Menu.Divider />
            <Menu.Label>{t('tokens.test.refreshes')}</Menu.Label>
            <Menu.Item onClick={() => lose.run(id)}>{t('tokens.fault.lost_answer')}</Menu.Item>
            <Menu.Item onClick={() => race.run(id)}>{t('tokens.fault.race')}</Menu.Item>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}
