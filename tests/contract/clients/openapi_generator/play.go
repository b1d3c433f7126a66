// A game against a bot, over the client of openapi-generator's go.
package main

import (
	"context"
	"fmt"
	"os"

	client "openapi"
)

func must[T any](value *T, _ any, err error) *T {
	if refused, is := err.(*client.GenericOpenAPIError); is {
		panic(refused.Error() + ": " + string(refused.Body())[:300])
	} else if err != nil {
		panic(err)
	}
	return value
}

func main() {
	configuration := client.NewConfiguration()
	configuration.Servers[0].URL = os.Args[1]
	api := client.NewAPIClient(configuration).GamesAPI
	anybody := context.Background()
	as := func(token string) context.Context {
		return context.WithValue(anybody, client.ContextAccessToken, token)
	}

	seats := []client.TableSeat{
		client.PersonSeatAsTableSeat(client.NewPersonSeat("person")),
		client.BotSeatAsTableSeat(client.NewBotSeat("bot")),
	}
	var variant interface{} = "n_phases(1)"
	table := client.NewOpenTable("classic", seats)
	table.SetOptions(map[string]*interface{}{"variant": &variant})
	opened := must(api.OpenGame(anybody).OpenTable(*table).Execute())
	game := opened.Game
	joined := must(api.TakeSeat(anybody, game).JoinTable(*client.NewJoinTable("Ada")).Execute())
	must(api.StartGame(as(opened.HostToken), game).Execute())
	seat := as(joined.Token)
	hit := client.HitAsPlay(client.NewHit("hit", 0, "R1"))
	if _, _, err := api.SendCommand(seat, game).Play(hit).Execute(); err != nil {
		problem := err.(*client.GenericOpenAPIError).Model().(client.Problem)
		fmt.Println("refused", problem.Code)
	}

	stage := joined.Table.Stage
	for stage != client.STAGE_ENDED && stage != client.STAGE_VOIDED {
		asked := must(api.ListActions(seat, game).Execute())
		version := asked.Version + 1
		if len(asked.Commands) > 0 {
			version = must(api.SendCommand(seat, game).Play(asked.Commands[0]).Execute()).Version
		}
		stage = must(api.GetGame(seat, game).AtLeast(version).Execute()).Table.Stage
	}
	first := must(api.ListEvents(seat, game).Execute()).Events[0]
	fmt.Println("opened", first.GameOpenedRecord.Data.Ruleset.Id)
	fmt.Println(stage)
}
