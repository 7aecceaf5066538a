export function repositoryPage(repository: string | { url?: string } | undefined): string | undefined
