import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { type TokenFamilyHistory, tokenFamilyOptions } from '../../data/tokens.ts'
import { Callout } from '../../parts/layout/callout.tsx'
import { DescriptionList } from '../../parts/layout/description-list.tsx'
import { LoadedPage } from '../../parts/layout/loaded-page.tsx'
import { Page } from '../../parts/layout/page.tsx'
import { Section } from '../../parts/layout/section.tsx'
import { Tag } from '../../parts/layout/status.tsx'
import { useFormat } from '../../parts/texts/format.ts'
import { EndText } from './end-text.tsx'
import { FamilyActions } from './family-actions.tsx'
import { PairTree } from './pair-tree.tsx'
import { FamilyState } from './token-state.tsx'
import classes from './tokens.module.css'

const route = getRouteApi('/shell/developers/tokens/$grantId')

/** The tokens of one consent: its pairs, and why they died. */
export function FamilyPage() {
  const { t } = useTranslation()
  const { grantId } = route.useParams()
  const query = useQuery(tokenFamilyOptions(grantId))
  const back = { to: '/developers/tokens', label: t('tokens.title') } as const
  return (
    <LoadedPage title={t('tokens.one')} back={back} query={query}>
      {(family) => (
        <Page
          title={family.integration.name}
          back={back}
          lead={<FamilyState family={{ end: family.end, newest: family.pairs[0] ?? null }} />}
          actions={<FamilyActions family={family} />}
        >
          <Notices family={family} />
          <Facts family={family} />
          <Section
            title={t('tokens.pairs')}
            lead={t(family.uses_are_exact ? 'tokens.uses_exact' : 'tokens.uses_late')}
          >
            <PairTree pairs={family.pairs} />
            {family.next !== null && <p className={classes.quiet}>{t('tokens.older_pairs')}</p>}
          </Section>
        </Page>
      )}
    </LoadedPage>
  )
}

function Notices({ family: { end, secret_regenerated, faults } }: { family: TokenFamilyHistory }) {
  const { t } = useTranslation()
  const format = useFormat()
  return (
    <div className={classes.notices}>
      {end && (
        <Callout tone="danger" title={t('tokens.ended')}>
          <EndText end={end} />
        </Callout>
      )}
      {secret_regenerated && (
        <Callout tone="info" title={t('tokens.secret.title')}>
          {secret_regenerated.by
            ? t('tokens.secret.by', {
                time: format.exact(secret_regenerated.at),
                person: secret_regenerated.by.name,
              })
            : t('tokens.secret.text', { time: format.exact(secret_regenerated.at) })}
        </Callout>
      )}
      {faults.map(({ kind, expires_at }) => (
        <Callout key={kind} tone="warn" title={t(`tokens.fault.${kind}`)}>
          {t('tokens.fault.until', { time: format.clock(expires_at) })}
        </Callout>
      ))}
    </div>
  )
}

function Facts({ family: { id, user, long_lived, scopes, created_at } }: { family: TokenFamilyHistory }) {
  const { t } = useTranslation()
  const format = useFormat()
  return (
    <div className={classes.facts}>
      <DescriptionList
        of={[
          [t('tokens.fact.person'), user.name],
          [t('tokens.fact.long_lived'), long_lived],
          [t('tokens.fact.created'), format.exact(created_at)],
          [
            t('tokens.fact.scopes'),
            <span key="scopes" className={classes.scopes}>
              {scopes.map((scope) => (
                <Tag key={scope}>{scope}</Tag>
              ))}
            </span>,
          ],
          [t('tokens.fact.id'), <code key="id">{id}</code>],
        ]}
      />
    </div>
  )
}
