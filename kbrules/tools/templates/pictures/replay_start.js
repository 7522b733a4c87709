window.addEventListener("hashchange", () => go(asked(), true));
go(asked(), true);
