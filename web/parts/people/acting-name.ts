import { useTranslation } from 'react-i18next'

/** The integration that acted, in the form of `with=integration`. */
export type Acting = { name: string } | null | undefined

/**
 * Returns the name of a person with that of the integration that acted for them: “Courier, for Ada”. Without a person,
 * it is the name of the integration.
 */
export function useActingName(): (person: string | undefined, integration: Acting) => string {
  const { t } = useTranslation()
  return (person, integration) => {
    if (!integration) return person ?? ''
    return person ? t('app.acting_for', { integration: integration.name, person }) : integration.name
  }
}
